-- Choosing examples, keeping templates, logging what was given.

-- What was counted stands beside each session, where it still holds.
-- name: pool_sessions
SELECT s.id, s.uid, s.principal, s.project, s.started_at_us, k.words, k.counts
FROM sessions s
LEFT JOIN pool_counts k ON k.session_id = s.id AND k.version = :version
    AND k.message_count = s.message_count AND k.tool_call_count = s.tool_call_count
WHERE (CAST(:project AS TEXT) IS NULL OR s.project = :project)
    AND (CAST(:source AS TEXT) IS NULL OR s.source = :source)
    AND s.started_at_us < :before_us
    AND s.message_count >= :min_messages
    AND s.tool_call_count > 0
ORDER BY s.started_at_us DESC, s.id DESC LIMIT :max_sessions

-- name: pool_task
SELECT task FROM sessions WHERE id = :id

-- name: put_pool_counts
INSERT INTO pool_counts (session_id, version, message_count, tool_call_count, words, counts)
SELECT id, :version, message_count, tool_call_count, :words, :counts
FROM sessions WHERE id = :id
ON CONFLICT (session_id) DO UPDATE SET version = excluded.version,
    message_count = excluded.message_count, tool_call_count = excluded.tool_call_count,
    words = excluded.words, counts = excluded.counts

-- name: pool_first_calls
SELECT shape_id FROM tool_calls
WHERE id >= :first AND id < :after AND active = 1 ORDER BY id LIMIT 200

-- name: pool_shapes
SELECT h.id, t.name, h.keys, h.shape, h.flags FROM shapes h JOIN tools t ON t.id = h.tool_id

-- name: session_of
SELECT 1 FROM sessions WHERE principal = :principal LIMIT 1

-- name: session_of_another
SELECT 1 FROM sessions WHERE principal <> :principal LIMIT 1

-- name: session_counts
SELECT count(*), count(DISTINCT project) FROM sessions WHERE tool_call_count > 0

-- name: support_of_shape
SELECT count(DISTINCT c.id >> 32)
FROM tool_calls c
JOIN shapes h ON h.id = c.shape_id
JOIN tools t ON t.id = h.tool_id
WHERE t.name = :tool AND h.flags = :shape AND c.active = 1
    AND c.outcome IN ('ok', 'empty')

-- name: call_to_weigh
SELECT t.name, c.arguments FROM tool_calls c JOIN tools t ON t.id = c.tool_id
WHERE c.id = :id

-- name: weighed_call
SELECT digest, is_risky FROM weighed_calls WHERE call = :call AND rules = :rules

-- name: put_weighed_call
INSERT INTO weighed_calls (call, rules, digest, is_risky)
SELECT id, :rules, :digest, :is_risky FROM tool_calls WHERE id = :call
ON CONFLICT (call) DO UPDATE SET rules = excluded.rules, digest = excluded.digest,
    is_risky = excluded.is_risky

-- name: shown_call
SELECT digest, texts FROM shown_calls
WHERE call = :call AND result_chars = :result_chars AND rules = :rules

-- name: put_shown_call
INSERT INTO shown_calls (call, result_chars, rules, digest, texts)
SELECT id, :result_chars, :rules, :digest, :texts FROM tool_calls WHERE id = :call
ON CONFLICT (call, result_chars) DO UPDATE SET rules = excluded.rules,
    digest = excluded.digest, texts = excluded.texts

-- name: forget_weighed_by_other_rules
DELETE FROM weighed_calls WHERE rules <> :rules

-- name: forget_shown_by_other_rules
DELETE FROM shown_calls WHERE rules <> :rules

-- name: forget_shown
DELETE FROM shown_calls

-- name: call_to_show
SELECT s.uid, c.call_id, t.name, c.arguments, c.result_chars, c.outcome, h.flags,
    coalesce(a.model, s.model), c.at_us, s.agent, s.principal,
    coalesce(m.content, ''), b.body, b.digest, b.chars
FROM tool_calls c
JOIN tools t ON t.id = c.tool_id
JOIN shapes h ON h.id = c.shape_id
JOIN sessions s ON s.id = c.id >> 32
JOIN messages a ON a.id = c.id >> 10
LEFT JOIN messages m ON m.id = c.result_id
LEFT JOIN blobs b ON b.id = m.blob_id
WHERE c.id = :id

-- name: request_before
SELECT m.content, b.body, b.digest, b.chars FROM messages m LEFT JOIN blobs b ON b.id = m.blob_id
WHERE m.id >= :first AND m.id < :message AND m.role = 'user' AND m.type = 'turn'
    AND m.active = 1
ORDER BY m.id DESC LIMIT 1

-- name: templates_named
SELECT id, name, version, kind, description, task, tags, addendum, has_foreign_addendum,
    coverage, session_count, created_at_us, is_proposed, retired_at_us, successor,
    principal
FROM templates
WHERE name = :name AND (CAST(:version AS INTEGER) IS NULL OR version = :version)
ORDER BY CASE WHEN is_proposed = 0 AND retired_at_us IS NULL THEN 0 ELSE 1 END,
    version DESC
LIMIT 1

-- name: template_examples
SELECT tool, arguments, result, result_chars, shape, context, outcome, support, session,
    call_id, model, at_us, agent, principal, tool_digest, principals, is_tainted
FROM template_examples WHERE template_id = :template_id ORDER BY pos

-- name: last_template_version
SELECT max(version) FROM templates WHERE name = :name

-- name: next_template_version
INSERT INTO template_versions (name, version) VALUES (:name, 1)
ON CONFLICT (name) DO UPDATE SET version = template_versions.version + 1
RETURNING version

-- name: put_template
INSERT INTO templates (name, version, digest, kind, description, task, tags, addendum,
    has_foreign_addendum, coverage, session_count, created_at_us, is_proposed,
    retired_at_us, successor, principal)
VALUES (:name, :version, :digest, :kind, :description, :task, :tags, :addendum,
    :has_foreign_addendum, :coverage, :session_count, :created_at_us, :is_proposed,
    :retired_at_us, :successor, :principal)
RETURNING id

-- name: put_template_example
INSERT INTO template_examples (template_id, pos, tool, arguments, result, result_chars,
    shape, context, outcome, support, session, call_id, model, at_us, agent, principal,
    tool_digest, principals, is_tainted)
VALUES (:template_id, :pos, :tool, :arguments, :result, :result_chars, :shape, :context,
    :outcome, :support, :session, :call_id, :model, :at_us, :agent, :principal,
    :tool_digest, :principals, :is_tainted)

-- name: template_states
SELECT version, is_proposed, retired_at_us, successor FROM templates
WHERE name = :name AND (CAST(:version AS INTEGER) IS NULL OR version = :version)
ORDER BY version DESC

-- name: accept_template
UPDATE templates SET is_proposed = 0
WHERE name = :name AND version = :version AND is_proposed = 1

-- name: retire_templates
UPDATE templates SET retired_at_us = :retired_at_us, successor = :successor
WHERE name = :name AND (CAST(:version AS INTEGER) IS NULL OR version = :version)
    AND retired_at_us IS NULL

-- name: template_uses_by_arm
SELECT a.arm, count(*), max(u.given_at_us)
FROM warm_uses u LEFT JOIN assignments a ON a.warm_use_id = u.id
WHERE u.template = :template GROUP BY a.arm ORDER BY a.arm

-- Of each experiment, what its warm sessions were given.
-- name: templates_in_experiments
SELECT a.experiment_id, u.template FROM assignments a
JOIN warm_uses u ON u.id = a.warm_use_id
WHERE a.arm = 'warm' GROUP BY a.experiment_id, u.template

-- name: list_templates
SELECT t.name, t.version, t.kind, t.description, t.tags, t.coverage, t.session_count,
    t.created_at_us,
    (SELECT count(*) FROM template_examples e WHERE e.template_id = t.id),
    (SELECT count(*) FROM warm_uses u WHERE u.template = t.name || '@' || t.version),
    t.erased, t.is_proposed, t.retired_at_us, t.successor
FROM templates t
WHERE (CAST(:kind AS TEXT) IS NULL OR t.kind = :kind)
    AND (:with_retired = 1 OR t.retired_at_us IS NULL)
ORDER BY t.created_at_us DESC, t.id DESC

-- name: delete_templates
DELETE FROM templates
WHERE name = :name AND (CAST(:version AS INTEGER) IS NULL OR version = :version)

-- name: delete_proposals
DELETE FROM templates
WHERE name = :name AND (CAST(:version AS INTEGER) IS NULL OR version = :version)
    AND is_proposed = 1 AND retired_at_us IS NULL

-- name: log_warm_use
INSERT INTO warm_uses (template, session, target, tokens, digest, examples, given_at_us)
VALUES (:template, :session, :target, :tokens, :digest, :examples, :given_at_us)
RETURNING id

-- name: examples_by_session
SELECT template_id, pos, session FROM template_examples ORDER BY template_id, pos

-- name: template_label
SELECT name, version FROM templates WHERE id = :id

-- name: delete_example
DELETE FROM template_examples WHERE template_id = :template_id AND pos = :pos

-- name: note_erased
UPDATE templates SET digest = :digest, coverage = NULL, erased = erased + :count
WHERE id = :id

-- name: delete_template_row
DELETE FROM templates WHERE id = :id

-- name: warm_use_sources
SELECT id, session, examples FROM warm_uses ORDER BY id

-- name: replace_warm_use_sources
UPDATE warm_uses SET session = :session, examples = :examples WHERE id = :id

-- One that was stopped goes on to keep sessions cold, if it held any out.
-- name: running_experiment
SELECT name FROM (SELECT name, stopped_at_us, holdout FROM experiments
    ORDER BY CASE WHEN stopped_at_us IS NULL THEN 0 ELSE 1 END, id DESC LIMIT 1) AS last
WHERE stopped_at_us IS NULL OR holdout > 0
