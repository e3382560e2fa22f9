-- Experiments: kept, drawn, measured.

-- name: put_experiment
INSERT INTO experiments (name, description, shares, holdout, horizon, salt, started_at_us)
VALUES (:name, :description, :shares, :holdout, :horizon, :salt, :started_at_us)
ON CONFLICT (name) DO NOTHING
RETURNING id

-- name: experiment_named
SELECT name, shares, holdout, horizon, description, salt, started_at_us, stopped_at_us, id
FROM experiments WHERE name = :name

-- name: list_experiments
SELECT e.name, e.shares, e.holdout, e.horizon, e.description, e.salt, e.started_at_us,
    e.stopped_at_us, e.id,
    (SELECT count(*) FROM assignments a WHERE a.experiment_id = e.id)
FROM experiments e ORDER BY e.started_at_us DESC, e.id DESC

-- name: stop_experiment
UPDATE experiments SET stopped_at_us = :stopped_at_us
WHERE id = :id AND stopped_at_us IS NULL

-- name: assignment_of
SELECT arm, is_held_out, target, given, note
FROM assignments WHERE experiment_id = :experiment_id AND session = :session

-- name: calls_before
SELECT tool_call_count FROM sessions WHERE uid = :session

-- name: put_assignment
INSERT INTO assignments (experiment_id, session, arm, is_held_out, principal, agent,
    target, given, note, assigned_at_us)
VALUES (:experiment_id, :session, :arm, :is_held_out, :principal, :agent,
    :target, :given, :note, :assigned_at_us)
ON CONFLICT (experiment_id, session) DO NOTHING
RETURNING id

-- name: note_warm_use
UPDATE assignments SET warm_use_id = :warm_use_id WHERE id = :id

-- name: delete_assignments
DELETE FROM assignments WHERE session = :session

-- name: given_sources
SELECT a.id, u.examples FROM assignments a JOIN warm_uses u ON u.id = a.warm_use_id
WHERE a.given IS NOT NULL

-- name: forget_given
UPDATE assignments SET given = NULL, note = :note WHERE id = :id

-- Sessions of other projects, which may give a placebo.
-- name: sessions_elsewhere
SELECT uid FROM sessions
WHERE tool_call_count > 0 AND project IS NOT NULL AND project <> :project
    AND started_at_us < :before_us
ORDER BY started_at_us DESC, id DESC LIMIT :max_sessions

-- name: shapes_of_project
SELECT DISTINCT h.shape
FROM (SELECT id FROM sessions WHERE project = :project AND tool_call_count > 0
    ORDER BY started_at_us DESC, id DESC LIMIT :max_sessions) AS s
JOIN tool_calls c ON c.id >= s.id << 32 AND c.id < (s.id + 1) << 32
JOIN shapes h ON h.id = c.shape_id

-- name: tool_names
SELECT id, name FROM tools

-- Each assigned session as it is on record, in the order of the draw. Calls that a person
-- or a policy refused, that were cancelled, of tools that do no work, of subagents, and in examples do
-- not count; calls that were rewound do: they happened.
-- name: measured_sessions
SELECT a.session, a.arm, a.is_held_out, a.principal, a.agent, a.assigned_at_us, u.tokens,
    s.ended_at_us, s.updated_at_us, s.tool_call_count, s.input_tokens, s.output_tokens,
    s.cache_read_tokens, s.cache_write_tokens, s.cost_microusd,
    (SELECT count(*) FROM tool_calls c
        WHERE c.id >= s.id << 32 AND c.id < (s.id + 1) << 32 AND c.outcome = 'blocked'),
    (SELECT count(*) FROM (SELECT 1 AS one
        FROM tool_calls c JOIN messages m ON m.id = c.id >> 10
        WHERE c.id >= s.id << 32 AND c.id < (s.id + 1) << 32
            AND c.outcome <> 'blocked' AND c.outcome <> 'cancelled'
            AND m.type = 'turn'
            AND :idle_tools NOT LIKE '%,' || CAST(c.tool_id AS TEXT) || ',%'
        ORDER BY c.id LIMIT :horizon) AS f),
    (SELECT count(*) FROM (SELECT c.outcome
        FROM tool_calls c JOIN messages m ON m.id = c.id >> 10
        WHERE c.id >= s.id << 32 AND c.id < (s.id + 1) << 32
            AND c.outcome <> 'blocked' AND c.outcome <> 'cancelled'
            AND m.type = 'turn'
            AND :idle_tools NOT LIKE '%,' || CAST(c.tool_id AS TEXT) || ',%'
        ORDER BY c.id LIMIT :horizon) AS f WHERE f.outcome = 'error'),
    (SELECT count(*) FROM (SELECT c.outcome
        FROM tool_calls c JOIN messages m ON m.id = c.id >> 10
        WHERE c.id >= s.id << 32 AND c.id < (s.id + 1) << 32
            AND c.outcome <> 'blocked' AND c.outcome <> 'cancelled'
            AND m.type = 'turn'
            AND :idle_tools NOT LIKE '%,' || CAST(c.tool_id AS TEXT) || ',%'
        ORDER BY c.id LIMIT :horizon) AS f WHERE f.outcome = 'pending')
FROM assignments a
LEFT JOIN sessions s ON s.uid = a.session
LEFT JOIN warm_uses u ON u.id = a.warm_use_id
WHERE a.experiment_id = :experiment_id
ORDER BY a.id
