-- Jobs, and who is at work on their runs.

-- name: add_job
INSERT INTO jobs (uid, name, spec, schedule, state, reason, next_due_us, reckoned_at_us,
    flags, created_by, created_at_us, updated_at_us)
VALUES (:uid, :name, :spec, :schedule, :state, :reason, :next_due, :now, :flags,
    :created_by, :now, :now)

-- name: job_of_name
SELECT id, uid, spec, schedule, rev, state, reason, next_due_us, fired_count, flags,
    created_by, created_at_us, updated_at_us
FROM jobs WHERE name = :name AND state <> 'removed'

-- name: jobs_beginning
SELECT id, uid, spec, schedule, rev, state, reason, next_due_us, fired_count, flags,
    created_by, created_at_us, updated_at_us
FROM jobs WHERE uid LIKE :beginning || '%' AND state <> 'removed' LIMIT 2

-- name: jobs
SELECT id, uid, spec, schedule, rev, state, reason, next_due_us, fired_count, flags,
    created_by, created_at_us, updated_at_us
FROM jobs WHERE state <> 'removed' ORDER BY name

-- A time that was worked out later than now: the clock was set back since.
-- name: jobs_of_the_future
SELECT id, uid, spec, schedule, rev, state, reason, next_due_us, fired_count, flags,
    created_by, created_at_us, updated_at_us
FROM jobs WHERE state = 'scheduled' AND reckoned_at_us > :after

-- name: next_due
SELECT min(next_due_us) FROM jobs WHERE state = 'scheduled'

-- name: edit_job
UPDATE jobs SET rev = rev + 1, name = :name, spec = :spec, schedule = :schedule,
    state = :state, next_due_us = :next_due, reckoned_at_us = :now, fired_count = :fired,
    flags = :flags, updated_at_us = :now
WHERE id = :id AND rev = :rev AND state <> 'removed'

-- name: set_job_state
UPDATE jobs SET rev = rev + 1, state = :state, reason = :reason, next_due_us = :next_due,
    reckoned_at_us = :now, updated_at_us = :now
WHERE id = :id AND rev = :rev AND state <> 'removed'

-- name: remove_job
UPDATE jobs SET rev = rev + 1, state = 'removed', next_due_us = NULL, updated_at_us = :now
WHERE id = :id AND rev = :rev AND state <> 'removed'

-- Whoever gets here first fires it: the time at which it was due is part of the condition.
-- name: fire_job
UPDATE jobs SET next_due_us = :next_due, reckoned_at_us = :now,
    fired_count = fired_count + :count, state = :state
WHERE id = :id AND rev = :rev AND state = 'scheduled' AND next_due_us = :due

-- name: reckon_job
UPDATE jobs SET next_due_us = :next_due, reckoned_at_us = :now
WHERE id = :id AND rev = :rev AND state = 'scheduled'

-- name: add_job_run
INSERT INTO job_runs (run_id, job_id, due_us, cause, attempt, is_alone, ready_at_us)
VALUES (:run_id, :job_id, :due, :cause, :attempt, :is_alone, :ready)

-- Of a firing, whose row in `runs` was just added under its key.
-- name: add_fired_job_run
INSERT INTO job_runs (run_id, job_id, due_us, cause, attempt, is_alone, ready_at_us)
SELECT id, CAST(:job_id AS BIGINT), CAST(:due AS BIGINT), 'schedule', 1,
    CAST(:is_alone AS SMALLINT), CAST(:ready AS BIGINT)
FROM runs WHERE key = :key
ON CONFLICT (run_id) DO NOTHING

-- name: has_run_of
SELECT 1 FROM runs WHERE key = :key

-- When the next run that waits may start; without those that wait for another of their job.
-- name: next_ready
SELECT r.ready_at_us FROM job_runs r
WHERE r.ready_at_us IS NOT NULL AND (r.is_alone = 0 OR NOT EXISTS (
    SELECT 1 FROM job_runs o WHERE o.job_id = r.job_id AND o.run_id <> r.run_id
        AND (o.owner IS NOT NULL OR o.ready_at_us IS NOT NULL)
        AND (o.owner IS NOT NULL OR o.run_id < r.run_id)))
ORDER BY r.ready_at_us LIMIT 1

-- name: take_run
UPDATE job_runs SET owner = :owner, lease_until_us = :lease, ready_at_us = NULL,
    beat = beat + 1
WHERE run_id = :run_id AND ready_at_us IS NOT NULL

-- name: job_of_run
SELECT j.id, j.uid, j.spec, j.schedule, j.rev, j.state, j.reason, j.next_due_us,
    j.fired_count, j.flags, j.created_by, j.created_at_us, j.updated_at_us
FROM job_runs r JOIN jobs j ON j.id = r.job_id WHERE r.run_id = :run_id

-- name: begin_job_run
UPDATE job_runs SET notes = :notes, beat = beat + 1
WHERE run_id = :run_id AND owner = :owner

-- name: is_owned
SELECT 1 FROM job_runs WHERE run_id = :run_id AND owner = :owner

-- name: set_child
UPDATE job_runs SET child = :child WHERE run_id = :run_id AND owner = :owner

-- name: beat
UPDATE job_runs SET lease_until_us = :lease, beat = beat + 1
WHERE run_id = :run_id AND owner = :owner

-- name: runs_of_owner
SELECT run_id, cancel_reason FROM job_runs WHERE owner = :owner

-- Fenced: whoever lost the run to somebody else changes nothing.
-- name: let_go
UPDATE job_runs SET owner = NULL, lease_until_us = NULL, child = '', delivery = :delivery
WHERE run_id = :run_id AND owner = :owner

-- name: give_back
UPDATE job_runs SET owner = NULL, lease_until_us = NULL, ready_at_us = :ready
WHERE run_id = :run_id AND owner = :owner

-- Of somebody who gave no sign of life since it was looked at.
-- name: seize
UPDATE job_runs SET owner = :owner, beat = beat + 1
WHERE run_id = :run_id AND owner = :old AND beat = :beat

-- name: runs_under_way
SELECT r.run_id, r.job_id, r.due_us, r.cause, r.attempt, r.owner, r.beat,
    r.lease_until_us, r.child, u.state
FROM job_runs r JOIN runs u ON u.id = r.run_id WHERE r.owner IS NOT NULL

-- name: ask_cancel
UPDATE job_runs SET cancel_reason = :reason
WHERE run_id = :run_id AND owner IS NOT NULL AND cancel_reason = ''

-- name: cancel_waiting_run
UPDATE runs SET state = 'cancelled', end_reason = :reason, ended_at_us =
    CASE WHEN :now > started_at_us THEN :now ELSE started_at_us END
WHERE id = :run_id AND state = 'due'

-- name: forget_ready
UPDATE job_runs SET ready_at_us = NULL WHERE run_id = :run_id AND ready_at_us IS NOT NULL

-- name: cancel_waiting_runs
UPDATE runs SET state = 'cancelled', end_reason = :reason, ended_at_us =
    CASE WHEN :now > started_at_us THEN :now ELSE started_at_us END
WHERE state = 'due' AND id IN
    (SELECT run_id FROM job_runs WHERE job_id = :job_id AND ready_at_us IS NOT NULL)

-- name: forget_waiting
UPDATE job_runs SET ready_at_us = NULL WHERE job_id = :job_id AND ready_at_us IS NOT NULL

-- Runs of jobs, the newest first, each with what became of its message.
-- name: job_runs
SELECT u.source, u.started_at_us, u.id, u.job, u.session_uid, u.state, u.end_reason, u.model,
    u.provider, u.draw_probability, u.ended_at_us, u.duration_us, u.input_tokens,
    u.output_tokens, u.cache_read_tokens, u.cache_write_tokens, u.cost_microusd, u.success,
    u.quality, j.uid, j.name, r.due_us, r.cause, r.attempt, r.ready_at_us, r.owner,
    r.cancel_reason, r.notes, r.delivery, b.state, b.fault, b.sent_to
FROM job_runs r JOIN runs u ON u.id = r.run_id JOIN jobs j ON j.id = r.job_id
LEFT JOIN outbox b ON b.key = 'run:' || CAST(r.run_id AS TEXT)
WHERE (CAST(:job_id AS BIGINT) IS NULL OR r.job_id = :job_id)
    AND (CAST(:state AS TEXT) IS NULL OR u.state = :state)
    AND r.run_id <= :upto
ORDER BY r.run_id DESC LIMIT :limit

-- The newest run of each job.
-- name: last_runs
SELECT j.uid, u.state, u.started_at_us FROM jobs j
JOIN runs u ON u.id = (SELECT max(r.run_id) FROM job_runs r WHERE r.job_id = j.id)
WHERE j.state <> 'removed'

-- Also of a job that was removed.
-- name: job_id_of
SELECT id FROM jobs WHERE uid = :ref OR name = :ref ORDER BY id DESC LIMIT 1

-- name: children
SELECT run_id, child FROM job_runs WHERE owner IS NOT NULL AND child <> ''

-- name: run_of_key
SELECT id FROM runs WHERE key = :key

-- name: set_delivery
UPDATE job_runs SET delivery = :delivery WHERE run_id = :run_id

-- name: trouble
SELECT trouble FROM jobs WHERE id = :id

-- No change of the job by anybody: its revision stays.
-- name: set_trouble
UPDATE jobs SET trouble = :trouble WHERE id = :id

-- name: put_output
INSERT INTO run_outputs (run_id, body, char_count, dropped_chars)
VALUES (:run_id, :body, :chars, :dropped)
ON CONFLICT (run_id) DO UPDATE SET body = excluded.body,
    char_count = excluded.char_count, dropped_chars = excluded.dropped_chars

-- name: output
SELECT body, char_count, dropped_chars FROM run_outputs WHERE run_id = :run_id

-- name: note_pass
INSERT INTO schedulers (owner, place, started_at_us, last_pass_us)
VALUES (:owner, :place, :now, :now)
ON CONFLICT (owner) DO UPDATE SET last_pass_us = excluded.last_pass_us

-- name: schedulers
SELECT owner, place, started_at_us, last_pass_us FROM schedulers
ORDER BY last_pass_us DESC

-- name: forget_schedulers
DELETE FROM schedulers WHERE last_pass_us < :before

-- name: forget_scheduler
DELETE FROM schedulers WHERE owner = :owner

-- name: kv
SELECT value FROM kv WHERE key = :key

-- name: set_kv
INSERT INTO kv (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: forget_kv
DELETE FROM kv WHERE key = :key
