-- The outbox, as PostgreSQL takes it: what another deliverer holds is passed over.

-- Waits stay as long as they were, whatever the clock was set to.
-- name: follow_clock
UPDATE outbox SET due_at_us = due_at_us - set_at_us + :now,
    give_up_at_us = give_up_at_us - set_at_us + :now, set_at_us = :now
WHERE id IN (
    SELECT id FROM outbox WHERE state = 'waiting' AND set_at_us > :now
    FOR UPDATE SKIP LOCKED)

-- name: claim
UPDATE outbox SET tries = tries + 1, due_at_us = :lease, set_at_us = :now
WHERE id = (
    SELECT id FROM outbox WHERE state = 'waiting' AND due_at_us <= :before
    ORDER BY due_at_us, id LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id, tries, message, sent_to, give_up_at_us
