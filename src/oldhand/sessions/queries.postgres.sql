-- What PostgreSQL must be told, where SQLite has one writer at a time.

-- The row stays locked until the transaction ends, so that a second writer of the session
-- sees what the first has written.
-- name: session_to_write
SELECT id, revision, message_count, updated_at_us FROM sessions WHERE uid = :uid
FOR UPDATE

-- Writers add words one after the other: two that add the same ones in another order would
-- wait for each other.
-- name: add_tool
WITH turn AS MATERIALIZED
    (SELECT pg_advisory_xact_lock(hashtextextended('oldhand vocabulary', 0)))
INSERT INTO tools (name) SELECT CAST(:name AS TEXT) FROM turn
ON CONFLICT (name) DO NOTHING RETURNING id

-- name: add_shape
WITH turn AS MATERIALIZED
    (SELECT pg_advisory_xact_lock(hashtextextended('oldhand vocabulary', 0)))
INSERT INTO shapes (tool_id, keys, shape, flags)
SELECT CAST(:tool_id AS BIGINT), CAST(:keys AS TEXT), CAST(:shape AS TEXT),
    CAST(:flags AS TEXT)
FROM turn
ON CONFLICT (tool_id, keys, shape, flags) DO NOTHING RETURNING id

-- A row that a writer has locked is passed over: to wait for one while holding others could
-- be a deadlock.
-- name: take_search_pending
SELECT session_id, first_id FROM search_pending
WHERE session_id >= :first AND session_id <= :last ORDER BY session_id
FOR UPDATE SKIP LOCKED

-- name: wait_search_pending
SELECT session_id FROM search_pending WHERE session_id = :session_id FOR UPDATE

-- Words are split here as SQLite splits them, at all that is no letter and no digit;
-- otherwise PostgreSQL would take a path or an address as one word.
-- name: put_search
INSERT INTO message_search (message_id, document) VALUES (:id, to_tsvector('simple',
    translate(CAST(:text AS TEXT), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~',
        '                                ')))

-- name: forget_search
DELETE FROM message_search WHERE message_id >= :first AND message_id < :after

-- name: optimize_search
SELECT gin_clean_pending_list('message_search_document')

-- Ranking is the dear part of a search, so of a very common word the newest messages are
-- ranked: those from this one on.
-- name: search_floor
SELECT message_id FROM message_search
WHERE document @@ to_tsquery('simple', :tsquery)
ORDER BY message_id DESC LIMIT 1 OFFSET :ranked

-- name: search_floor_filtered
WITH fitting AS (
    SELECT c.id >> 10 AS made_id, c.result_id
    FROM tool_calls c JOIN tools t ON t.id = c.tool_id
    WHERE (CAST(:tool AS TEXT) IS NULL OR t.name = :tool)
        AND (CAST(:outcome AS TEXT) IS NULL OR c.outcome = :outcome)
)
SELECT h.message_id
FROM message_search h
JOIN sessions s ON s.id = h.message_id >> 22
JOIN messages m ON m.id = h.message_id
WHERE h.document @@ to_tsquery('simple', :tsquery)
    AND (CAST(:source AS TEXT) IS NULL OR s.source = :source)
    AND (CAST(:project AS TEXT) IS NULL OR s.project = :project)
    AND (CAST(:since_us AS BIGINT) IS NULL
        OR :since_us <= coalesce(m.at_us, s.started_at_us))
    AND (CAST(:until_us AS BIGINT) IS NULL
        OR :until_us > coalesce(m.at_us, s.started_at_us))
    AND ((CAST(:tool AS TEXT) IS NULL AND CAST(:outcome AS TEXT) IS NULL)
        OR h.message_id IN (SELECT made_id FROM fitting)
        OR h.message_id IN (SELECT result_id FROM fitting WHERE result_id IS NOT NULL))
ORDER BY h.message_id DESC LIMIT 1 OFFSET :ranked

-- ts_rank knows no rare words, so there is nothing to count.
-- name: search_term
SELECT 0, 0, 0 WHERE FALSE

-- name: search_hits
WITH hit AS MATERIALIZED (
    SELECT message_id AS id, message_id >> 22 AS session_id,
        CAST(ts_rank(document, to_tsquery('simple', :tsquery), 1) AS DOUBLE PRECISION)
            AS score
    FROM message_search
    WHERE document @@ to_tsquery('simple', :tsquery)
        AND message_id >= CAST(:floor AS BIGINT)
), fitting AS (
    SELECT c.id >> 10 AS made_id, c.result_id
    FROM (SELECT DISTINCT session_id FROM hit) AS h
    JOIN tool_calls c ON c.id >= h.session_id << 32
        AND c.id < (h.session_id + 1) << 32
    JOIN tools t ON t.id = c.tool_id
    WHERE (CAST(:tool AS TEXT) IS NULL OR t.name = :tool)
        AND (CAST(:outcome AS TEXT) IS NULL OR c.outcome = :outcome)
), ranked AS (
    SELECT h.id, h.score, s.id AS session_id, m.role,
        count(*) OVER (PARTITION BY s.id) AS hits,
        row_number() OVER (PARTITION BY s.id ORDER BY h.score DESC, h.id DESC) AS place
    FROM hit h
    JOIN sessions s ON s.id = h.session_id
    JOIN messages m ON m.id = h.id
    WHERE (CAST(:source AS TEXT) IS NULL OR s.source = :source)
        AND (CAST(:project AS TEXT) IS NULL OR s.project = :project)
        AND (CAST(:since_us AS BIGINT) IS NULL
            OR :since_us <= coalesce(m.at_us, s.started_at_us))
        AND (CAST(:until_us AS BIGINT) IS NULL
            OR :until_us > coalesce(m.at_us, s.started_at_us))
        AND ((CAST(:tool AS TEXT) IS NULL AND CAST(:outcome AS TEXT) IS NULL)
            OR h.id IN (SELECT made_id FROM fitting)
            OR h.id IN (SELECT result_id FROM fitting WHERE result_id IS NOT NULL))
)
SELECT r.id, s.uid, s.source, s.project, s.started_at_us, r.hits, r.role, r.score
FROM ranked r JOIN sessions s ON s.id = r.session_id
WHERE r.place = 1
ORDER BY r.score DESC, s.updated_at_us DESC, r.id DESC LIMIT :limit

-- name: recent_sessions
SELECT id, uid, source, agent, model, model_config, principal, project, cwd, git_branch,
    parent, relation, title, task, started_at_us, updated_at_us, ended_at_us, end_reason,
    message_count, tool_call_count, failed_call_count, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_microusd
FROM sessions
WHERE (CAST(:source AS TEXT) IS NULL OR source = :source)
    AND (CAST(:project AS TEXT) IS NULL OR project = :project)
ORDER BY updated_minute DESC, updated_at_us DESC, id DESC LIMIT :limit
