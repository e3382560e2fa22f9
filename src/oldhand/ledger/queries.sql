-- Runs, what each skill had in them, and the sums over those.

-- name: add_run
INSERT INTO runs (key, source, job, session_uid, state, model, provider, draw_probability,
    started_at_us)
VALUES (:key, :source, :job, :session_uid, 'running', :model, :provider,
    :draw_probability, :started_at_us)
RETURNING id

-- name: add_waiting_run
INSERT INTO runs (key, source, job, state, started_at_us)
VALUES (:key, :source, :job, 'due', :due_us)
ON CONFLICT (key) DO NOTHING RETURNING id

-- name: add_fired_run
INSERT INTO runs (key, source, job, state, end_reason, started_at_us, ended_at_us)
VALUES (:key, :source, :job, :state, :reason, :due_us, :ended_at_us)
ON CONFLICT (key) DO NOTHING

-- name: set_due_run
UPDATE runs SET state = 'due' WHERE id = :id AND state = 'claimed'

-- name: set_claimed_run
UPDATE runs SET state = 'claimed' WHERE id = :id AND state = 'due'

-- name: end_unstarted_run
UPDATE runs SET state = :state, end_reason = :reason, ended_at_us =
    CASE WHEN :at_us > started_at_us THEN :at_us ELSE started_at_us END
WHERE id = :id AND (state = 'due' OR state = 'claimed')

-- name: begin_run
UPDATE runs SET state = 'running', started_at_us = :at_us, model = :model,
    provider = :provider, draw_probability = :draw_probability,
    session_uid = :session_uid
WHERE id = :id AND state = 'claimed'

-- name: run
SELECT
    source, started_at_us, id, job, session_uid, state, end_reason, model, provider,
    draw_probability, ended_at_us, duration_us, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_microusd, success, quality
FROM runs WHERE id = :id

-- name: runs
SELECT
    source, started_at_us, id, job, session_uid, state, end_reason, model, provider,
    draw_probability, ended_at_us, duration_us, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_microusd, success, quality
FROM runs
WHERE id < :before AND (CAST(:state AS TEXT) IS NULL OR state = :state)
    AND (CAST(:job AS TEXT) IS NULL OR job = :job)
    AND (CAST(:session_uid AS TEXT) IS NULL OR session_uid = :session_uid)
ORDER BY id DESC LIMIT :limit

-- Once: a run that is closed stays as it was closed.
-- name: close_run
UPDATE runs SET
    state = :state, end_reason = :end_reason, session_uid = :session_uid, model = :model,
    provider = :provider, ended_at_us = :ended_at_us, duration_us = :duration_us, input_tokens =
    :input_tokens, output_tokens = :output_tokens, cache_read_tokens =
    :cache_read_tokens, cache_write_tokens = :cache_write_tokens, cost_microusd =
    :cost_microusd, success = :success, quality = :quality
WHERE id = :id AND ended_at_us IS NULL

-- name: cell_id
SELECT id FROM skill_cells WHERE key = :key

-- name: add_cell
INSERT INTO skill_cells (key, skill, version, model, provider)
VALUES (:key, :skill, :version, :model, :provider)
ON CONFLICT (key) DO NOTHING RETURNING id

-- name: add_invocation
INSERT INTO skill_invocations (id, cell_id, share) VALUES (:id, :cell_id, :share)

-- name: invocations_of
SELECT i.id, i.share, c.skill, c.version, i.cell_id
FROM skill_invocations i JOIN skill_cells c ON c.id = i.cell_id
WHERE i.id >= :first AND i.id < :after ORDER BY i.id

-- name: move_invocation
UPDATE skill_invocations SET cell_id = :cell_id WHERE id = :id

-- One run more. Sums that stand as of another time, or are not there, stay as they are.
-- name: add_to_sums
UPDATE skill_sums SET invocation_count = invocation_count + 1,
    success_count = success_count + :success,
    failure_count = failure_count + :known - :success,
    drawn_count = drawn_count + :drawn, cost_known_count = cost_known_count + :priced,
    total_cost_microusd = total_cost_microusd + :share * :cost,
    last_invoked_at_us = CASE WHEN last_invoked_at_us > :started_at_us
        THEN last_invoked_at_us ELSE :started_at_us END,
    weight_1d = weight_1d + :w1 * :known, weight2_1d = weight2_1d + :w1 * :w1 * :known,
    success_1d = success_1d + :w1 * :success,
    cost_weight_1d = cost_weight_1d + :w1 * :priced, cost_1d = cost_1d + :w1 * :cost,
    both_success_1d = both_success_1d + :w1 * :both,
    both_cost_1d = both_cost_1d + :w1 * :known * :cost,
    both_success2_1d = both_success2_1d + :w1 * :w1 * :both,
    both_cost2_1d = both_cost2_1d + :w1 * :w1 * :known * :cost * :cost,
    both_cost_success_1d = both_cost_success_1d + :w1 * :w1 * :both * :cost,
    duration_weight_1d = duration_weight_1d + :w1 * :timed,
    duration_1d = duration_1d + :w1 * :seconds,
    quality_weight_1d = quality_weight_1d + :w1 * :rated,
    quality_1d = quality_1d + :w1 * :quality,
    weight_7d = weight_7d + :w7 * :known, weight2_7d = weight2_7d + :w7 * :w7 * :known,
    success_7d = success_7d + :w7 * :success,
    cost_weight_7d = cost_weight_7d + :w7 * :priced, cost_7d = cost_7d + :w7 * :cost,
    both_success_7d = both_success_7d + :w7 * :both,
    both_cost_7d = both_cost_7d + :w7 * :known * :cost,
    both_success2_7d = both_success2_7d + :w7 * :w7 * :both,
    both_cost2_7d = both_cost2_7d + :w7 * :w7 * :known * :cost * :cost,
    both_cost_success_7d = both_cost_success_7d + :w7 * :w7 * :both * :cost,
    duration_weight_7d = duration_weight_7d + :w7 * :timed,
    duration_7d = duration_7d + :w7 * :seconds,
    quality_weight_7d = quality_weight_7d + :w7 * :rated,
    quality_7d = quality_7d + :w7 * :quality,
    weight_30d = weight_30d + :w30 * :known,
    weight2_30d = weight2_30d + :w30 * :w30 * :known,
    success_30d = success_30d + :w30 * :success,
    cost_weight_30d = cost_weight_30d + :w30 * :priced, cost_30d = cost_30d + :w30 * :cost,
    both_success_30d = both_success_30d + :w30 * :both,
    both_cost_30d = both_cost_30d + :w30 * :known * :cost,
    both_success2_30d = both_success2_30d + :w30 * :w30 * :both,
    both_cost2_30d = both_cost2_30d + :w30 * :w30 * :known * :cost * :cost,
    both_cost_success_30d = both_cost_success_30d + :w30 * :w30 * :both * :cost,
    duration_weight_30d = duration_weight_30d + :w30 * :timed,
    duration_30d = duration_30d + :w30 * :seconds,
    quality_weight_30d = quality_weight_30d + :w30 * :rated,
    quality_30d = quality_30d + :w30 * :quality
WHERE cell_id = :cell_id AND at_us = :at_us

-- Changes nothing: in PostgreSQL it locks the row until the transaction is over.
-- name: hold_cell
UPDATE skill_cells SET skill = skill WHERE id = :cell_id

-- name: take_sums
DELETE FROM skill_sums WHERE cell_id = :cell_id RETURNING
    at_us, invocation_count, success_count, failure_count, drawn_count, cost_known_count,
    total_cost_microusd, last_invoked_at_us,
    weight_1d, weight2_1d, success_1d, cost_weight_1d, cost_1d, both_success_1d,
    both_cost_1d, both_success2_1d, both_cost2_1d, both_cost_success_1d, duration_weight_1d,
    duration_1d, quality_weight_1d, quality_1d,
    weight_7d, weight2_7d, success_7d, cost_weight_7d, cost_7d, both_success_7d,
    both_cost_7d, both_success2_7d, both_cost2_7d, both_cost_success_7d, duration_weight_7d,
    duration_7d, quality_weight_7d, quality_7d,
    weight_30d, weight2_30d, success_30d, cost_weight_30d, cost_30d, both_success_30d,
    both_cost_30d, both_success2_30d, both_cost2_30d, both_cost_success_30d,
    duration_weight_30d, duration_30d, quality_weight_30d, quality_30d

-- name: put_sums
INSERT INTO skill_sums (cell_id,
    at_us, invocation_count, success_count, failure_count, drawn_count, cost_known_count,
    total_cost_microusd, last_invoked_at_us,
    weight_1d, weight2_1d, success_1d, cost_weight_1d, cost_1d, both_success_1d,
    both_cost_1d, both_success2_1d, both_cost2_1d, both_cost_success_1d, duration_weight_1d,
    duration_1d, quality_weight_1d, quality_1d,
    weight_7d, weight2_7d, success_7d, cost_weight_7d, cost_7d, both_success_7d,
    both_cost_7d, both_success2_7d, both_cost2_7d, both_cost_success_7d, duration_weight_7d,
    duration_7d, quality_weight_7d, quality_7d,
    weight_30d, weight2_30d, success_30d, cost_weight_30d, cost_30d, both_success_30d,
    both_cost_30d, both_success2_30d, both_cost2_30d, both_cost_success_30d,
    duration_weight_30d, duration_30d, quality_weight_30d, quality_30d)
VALUES (:cell_id,
    :at_us, :invocation_count, :success_count, :failure_count, :drawn_count,
    :cost_known_count, :total_cost_microusd, :last_invoked_at_us,
    :weight_1d, :weight2_1d, :success_1d, :cost_weight_1d, :cost_1d, :both_success_1d,
    :both_cost_1d, :both_success2_1d, :both_cost2_1d, :both_cost_success_1d,
    :duration_weight_1d, :duration_1d, :quality_weight_1d, :quality_1d,
    :weight_7d, :weight2_7d, :success_7d, :cost_weight_7d, :cost_7d, :both_success_7d,
    :both_cost_7d, :both_success2_7d, :both_cost2_7d, :both_cost_success_7d,
    :duration_weight_7d, :duration_7d, :quality_weight_7d, :quality_7d,
    :weight_30d, :weight2_30d, :success_30d, :cost_weight_30d, :cost_30d, :both_success_30d,
    :both_cost_30d, :both_success2_30d, :both_cost2_30d, :both_cost_success_30d,
    :duration_weight_30d, :duration_30d, :quality_weight_30d, :quality_30d)

-- name: note_stale
INSERT INTO kv (key, value) VALUES ('skill_sums_stale', '1')
ON CONFLICT (key) DO NOTHING

-- name: forget_stale
DELETE FROM kv WHERE key = 'skill_sums_stale'

-- name: is_stale
SELECT 1 FROM kv WHERE key = 'skill_sums_stale'

-- name: newest_end
SELECT max(ended_at_us) FROM runs WHERE ended_at_us IS NOT NULL

-- name: clear_sums
DELETE FROM skill_sums

-- name: all_sums
SELECT c.skill, c.version, c.model, c.provider,
    at_us, invocation_count, success_count, failure_count, drawn_count, cost_known_count,
    total_cost_microusd, last_invoked_at_us,
    weight_1d, weight2_1d, success_1d, cost_weight_1d, cost_1d, both_success_1d,
    both_cost_1d, both_success2_1d, both_cost2_1d, both_cost_success_1d, duration_weight_1d,
    duration_1d, quality_weight_1d, quality_1d,
    weight_7d, weight2_7d, success_7d, cost_weight_7d, cost_7d, both_success_7d,
    both_cost_7d, both_success2_7d, both_cost2_7d, both_cost_success_7d, duration_weight_7d,
    duration_7d, quality_weight_7d, quality_7d,
    weight_30d, weight2_30d, success_30d, cost_weight_30d, cost_30d, both_success_30d,
    both_cost_30d, both_success2_30d, both_cost2_30d, both_cost_success_30d,
    duration_weight_30d, duration_30d, quality_weight_30d, quality_30d
FROM skill_sums JOIN skill_cells c ON c.id = cell_id
WHERE CAST(:skill AS TEXT) IS NULL OR c.skill = :skill
ORDER BY cell_id

-- name: daily
SELECT day, skill, model, provider, invocation_count, success_count, failure_count,
    unknown_count, average_duration_seconds, total_cost_usd, average_cost_usd,
    cost_known_count, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
    average_quality, last_invoked_at_us
FROM skill_stats_daily
WHERE (CAST(:skill AS TEXT) IS NULL OR skill = :skill) AND day >= :since
ORDER BY day DESC, skill, model, provider

-- Sessions that were not looked through as they are now.
-- name: sessions_to_attribute
SELECT s.id, s.uid, s.source, s.model, s.started_at_us, s.updated_at_us, s.message_count,
    s.tool_call_count, s.cost_microusd, s.input_tokens, s.output_tokens,
    s.cache_read_tokens, s.cache_write_tokens
FROM sessions s LEFT JOIN attributed_sessions a ON a.session_id = s.id
WHERE a.session_id IS NULL OR a.message_count <> s.message_count
    OR a.tool_call_count <> s.tool_call_count
ORDER BY s.id

-- Runs of jobs that name a session, or the one that it is a subagent of.
-- name: job_runs_of_session
SELECT r.id, r.session_uid, r.ended_at_us IS NOT NULL, EXISTS (
    SELECT 1 FROM skill_invocations i WHERE i.id >= r.id << 8 AND i.id < (r.id + 1) << 8)
FROM sessions s
JOIN runs r ON r.session_uid = s.uid OR (s.relation = 'subagent' AND r.session_uid = s.parent)
WHERE s.id = :session_id AND r.source = 'job'
ORDER BY r.id

-- name: note_attributed
INSERT INTO attributed_sessions (session_id, message_count, tool_call_count)
VALUES (:session_id, :message_count, :tool_call_count)
ON CONFLICT (session_id) DO UPDATE SET message_count = excluded.message_count,
    tool_call_count = excluded.tool_call_count

-- name: skill_calls
SELECT c.id >> 10, t.name, c.arguments FROM tool_calls c JOIN tools t ON t.id = c.tool_id
WHERE c.id >= :first AND c.id < :after AND c.active = 1
    AND c.outcome <> 'error' AND c.outcome <> 'blocked'
    AND t.name IN ('Skill', 'skill_view', 'skill_manage')
ORDER BY c.id

-- Texts that an agent's program put in; Hermes puts its words before what a person says.
-- name: skill_marks
SELECT m.id, m.content, b.body FROM messages m LEFT JOIN blobs b ON b.id = m.blob_id
WHERE m.id >= :first AND m.id < :after AND m.role = 'user' AND m.active = 1
    AND (m.type = 'injected' OR CAST(:source AS TEXT) = 'hermes')
ORDER BY m.id

-- name: message_usages
SELECT id, at_us, model, CASE WHEN role = 'assistant' THEN 1 ELSE 0 END, input_tokens,
    output_tokens, cache_read_tokens, cache_write_tokens
FROM messages WHERE id >= :first AND id < :after ORDER BY id

-- name: delete_attributed
DELETE FROM runs WHERE key = :key

-- name: runs_without_job
SELECT s.uid, s.id, s.started_at_us FROM runs r JOIN sessions s ON s.uid = r.session_uid
WHERE r.source = 'session' AND r.job IS NULL AND s.source = 'hermes'

-- name: forget_attributed
DELETE FROM attributed_sessions WHERE session_id = :session_id

-- name: forget_attributed_uid
DELETE FROM attributed_sessions WHERE session_id = (SELECT id FROM sessions WHERE uid = :uid)

-- name: forget_all_attributed
DELETE FROM attributed_sessions

-- name: spend_by_skill
SELECT c.skill, count(*), coalesce(sum(CASE WHEN r.success = 1 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN r.success = 0 THEN 1 ELSE 0 END), 0),
    sum(i.share * r.input_tokens), sum(i.share * r.output_tokens),
    sum(i.share * r.cache_read_tokens), sum(i.share * r.cache_write_tokens),
    sum(i.share * r.cost_microusd), count(r.cost_microusd)
FROM skill_invocations i
JOIN runs r ON r.id = i.id >> 8
JOIN skill_cells c ON c.id = i.cell_id
LEFT JOIN sessions s ON s.uid = r.session_uid
WHERE r.ended_at_us IS NOT NULL AND r.started_at_us >= :since_us
    AND r.started_at_us < :until_us
    AND (CAST(:source AS TEXT) IS NULL OR s.source = :source)
    AND (CAST(:project AS TEXT) IS NULL OR s.project = :project)
GROUP BY c.skill

-- Runs with a skill, each once.
-- name: spend_in_all
SELECT count(*), coalesce(sum(CASE WHEN r.success = 1 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN r.success = 0 THEN 1 ELSE 0 END), 0),
    sum(r.input_tokens), sum(r.output_tokens), sum(r.cache_read_tokens),
    sum(r.cache_write_tokens), sum(r.cost_microusd), count(r.cost_microusd)
FROM runs r LEFT JOIN sessions s ON s.uid = r.session_uid
WHERE r.ended_at_us IS NOT NULL AND r.started_at_us >= :since_us
    AND r.started_at_us < :until_us
    AND (CAST(:source AS TEXT) IS NULL OR s.source = :source)
    AND (CAST(:project AS TEXT) IS NULL OR s.project = :project)
    AND EXISTS (SELECT 1 FROM skill_invocations i
        WHERE i.id >= r.id << 8 AND i.id < (r.id + 1) << 8)
