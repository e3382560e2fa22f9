-- The outbox, in words that both engines know.

-- name: put
INSERT INTO outbox (key, message, created_at_us, give_up_at_us, due_at_us, set_at_us)
VALUES (:key, :message, :now, :give_up, :due, :now)
ON CONFLICT (key) DO NOTHING RETURNING id

-- name: id_of_key
SELECT id FROM outbox WHERE key = :key

-- name: of_key
SELECT id, key, message, state, tries, sent_to, fault FROM outbox WHERE key = :key

-- The same message, or another: it waits anew, and who has it keeps it. Not one that
-- may be on its way.
-- name: put_again
UPDATE outbox SET message = :message, state = 'waiting', give_up_at_us = :give_up,
    due_at_us = :now, set_at_us = :now, finished_at_us = NULL
WHERE id = :id AND tries = :tries
    AND (state <> 'waiting' OR due_at_us <= :now OR due_at_us > :lease)

-- name: pending
SELECT id, key, message, due_at_us, tries, sent_to, fault FROM outbox
WHERE state = 'waiting' ORDER BY due_at_us, id LIMIT :limit

-- name: withdraw
UPDATE outbox SET state = 'withdrawn', finished_at_us = :now
WHERE key = :key AND state = 'waiting'

-- name: counts
SELECT coalesce(sum(CASE WHEN state = 'waiting' THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN state = 'waiting' AND fault <> '' THEN 1 ELSE 0 END), 0),
    min(CASE WHEN state = 'waiting' THEN created_at_us END),
    coalesce(sum(CASE WHEN state = 'given_up' THEN 1 ELSE 0 END), 0)
FROM outbox

-- name: prune
DELETE FROM outbox WHERE state <> 'waiting' AND finished_at_us <= :before

-- A row whose time was set later than now: the clock was set back since.
-- name: has_due
SELECT 1 FROM outbox
WHERE state = 'waiting' AND (due_at_us <= :before OR set_at_us > :now) LIMIT 1

-- Only by who took the row up last: somebody else may have it when the lease was over.
-- name: settle
UPDATE outbox SET state = :state, sent_to = :sent_to, fault = :fault, due_at_us = :due,
    set_at_us = :now, finished_at_us = :finished
WHERE id = :id AND tries = :tries AND state = 'waiting'
