-- What only SQLite says so.

-- Of each shape in a session: how often it was called, and the call that is best shown.
-- One that found nothing ranks behind all that found something; `id` is taken from the
-- row in which the least rank stands, which is SQLite's own rule for a lone min().
-- name: pool_calls
SELECT shape_id, count(*),
    min(CASE outcome WHEN 'ok' THEN example_tokens
        WHEN 'empty' THEN example_tokens + 1000000000 END),
    id
FROM tool_calls
WHERE id >= :first AND id < :after AND active = 1
    AND outcome NOT IN ('blocked', 'cancelled', 'pending')
GROUP BY shape_id

-- The transaction keeps all other writers away.
-- name: lock_pool_session
SELECT id FROM sessions WHERE id = :id

-- BEGIN IMMEDIATE keeps all other writers away.
-- name: lock_template_name
SELECT :name
