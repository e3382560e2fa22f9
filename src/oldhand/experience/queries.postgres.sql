-- What only PostgreSQL says so.

-- Of each shape in a session: how often it was called, and the call that is best shown.
-- One that found nothing ranks behind all that found something.
-- name: pool_calls
SELECT DISTINCT ON (shape_id) shape_id, count(*) OVER (PARTITION BY shape_id), rank, id
FROM (
    SELECT shape_id, id,
        CASE outcome WHEN 'ok' THEN example_tokens
            WHEN 'empty' THEN example_tokens + 1000000000 END AS rank
    FROM tool_calls
    WHERE id >= :first AND id < :after AND active = 1
        AND outcome NOT IN ('blocked', 'cancelled', 'pending')
) AS ranked
ORDER BY shape_id, rank NULLS LAST, id

-- Nothing about the session changes while it is counted.
-- name: lock_pool_session
SELECT id FROM sessions WHERE id = :id FOR UPDATE

-- Two that build one name at once would give it the same version.
-- name: lock_template_name
SELECT pg_advisory_xact_lock(hashtextextended('oldhand template ' || :name, 0))
