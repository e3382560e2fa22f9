-- What SQLite takes otherwise than PostgreSQL.

-- name: session_to_write
SELECT id, revision, message_count, updated_at_us FROM sessions WHERE uid = :uid

-- name: take_search_pending
SELECT session_id, first_id FROM search_pending
WHERE session_id >= :first AND session_id <= :last

-- name: wait_search_pending
SELECT session_id FROM search_pending WHERE session_id = :session_id

-- name: put_search
INSERT INTO message_search (rowid, text) VALUES (:id, :text)

-- name: forget_search
DELETE FROM message_search WHERE rowid >= :first AND rowid < :after

-- name: optimize_search
INSERT INTO message_search (message_search) VALUES ('optimize')

-- Ranking is the dear part of a search, so of a very common word the newest messages are
-- ranked: those from this one on.
-- name: search_floor
SELECT rowid FROM message_search WHERE message_search MATCH :match
ORDER BY rowid DESC LIMIT 1 OFFSET :ranked

-- name: search_floor_filtered
WITH fitting AS MATERIALIZED (
    SELECT c.id >> 10 AS made_id, c.result_id
    FROM tool_calls c JOIN tools t ON t.id = c.tool_id
    WHERE (:tool IS NULL OR t.name = :tool)
        AND (:outcome IS NULL OR c.outcome = :outcome)
)
SELECT h.rowid FROM message_search h CROSS JOIN sessions s ON s.id = h.rowid >> 22
WHERE h.message_search MATCH :match
    AND (:source IS NULL OR s.source = :source)
    AND (:project IS NULL OR s.project = :project)
    AND (:since_us IS NULL OR :since_us <= coalesce(
        (SELECT m.at_us FROM messages m WHERE m.id = h.rowid), s.started_at_us))
    AND (:until_us IS NULL OR :until_us > coalesce(
        (SELECT m.at_us FROM messages m WHERE m.id = h.rowid), s.started_at_us))
    AND ((:tool IS NULL AND :outcome IS NULL)
        OR h.rowid IN (SELECT made_id FROM fitting)
        OR h.rowid IN (SELECT result_id FROM fitting WHERE result_id IS NOT NULL))
ORDER BY h.rowid DESC LIMIT 1 OFFSET :ranked

-- name: search_term
SELECT count(*), min(id) >> 22, (SELECT max(id) >> 22 FROM messages)
FROM (SELECT rowid AS id FROM message_search WHERE message_search MATCH :match
    ORDER BY rowid DESC LIMIT :limit)

-- name: search_hits
WITH hit AS MATERIALIZED (
    SELECT rowid AS id, rowid >> 22 AS session_id,
        fits_how_well(message_search, :counts) AS score
    FROM message_search WHERE message_search MATCH :match AND rowid >= :floor
), fitting AS MATERIALIZED (
    SELECT c.id >> 10 AS made_id, c.result_id
    FROM (SELECT DISTINCT session_id FROM hit) AS h
    CROSS JOIN tool_calls c ON c.id >= h.session_id << 32
        AND c.id < (h.session_id + 1) << 32
    JOIN tools t ON t.id = c.tool_id
    WHERE (:tool IS NULL OR t.name = :tool)
        AND (:outcome IS NULL OR c.outcome = :outcome)
), best AS MATERIALIZED (
    SELECT max(h.score) AS score, h.id, count(*) AS hits, s.id AS session_id
    FROM hit h CROSS JOIN sessions s ON s.id = h.session_id
    WHERE (:source IS NULL OR s.source = :source)
        AND (:project IS NULL OR s.project = :project)
        AND (:since_us IS NULL OR :since_us <= coalesce(
            (SELECT m.at_us FROM messages m WHERE m.id = h.id), s.started_at_us))
        AND (:until_us IS NULL OR :until_us > coalesce(
            (SELECT m.at_us FROM messages m WHERE m.id = h.id), s.started_at_us))
        AND ((:tool IS NULL AND :outcome IS NULL)
            OR h.id IN (SELECT made_id FROM fitting)
            OR h.id IN (SELECT result_id FROM fitting WHERE result_id IS NOT NULL))
    GROUP BY h.session_id
)
SELECT b.id, s.uid, s.source, s.project, s.started_at_us, b.hits, m.role, b.score
FROM best b JOIN sessions s ON s.id = b.session_id JOIN messages m ON m.id = b.id
ORDER BY b.score DESC, s.updated_at_us DESC, b.id DESC LIMIT :limit

-- Without statistics SQLite would rather read and sort every session.
-- name: recent_sessions
SELECT id, uid, source, agent, model, model_config, principal, project, cwd, git_branch,
    parent, relation, title, task, started_at_us, updated_at_us, ended_at_us, end_reason,
    message_count, tool_call_count, failed_call_count, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_microusd
FROM sessions INDEXED BY sessions_recent
WHERE (CAST(:source AS TEXT) IS NULL OR source = :source)
    AND (CAST(:project AS TEXT) IS NULL OR project = :project)
ORDER BY updated_minute DESC, updated_at_us DESC, id DESC LIMIT :limit
