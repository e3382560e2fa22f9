-- Jobs that are due, the longest first; with whether a run of it waits or goes on, and
-- whether what is due fired already, before the clock was set back. Rows that
-- another scheduler is just at are passed over.
-- name: due_jobs
SELECT j.id, j.uid, j.spec, j.schedule, j.rev, j.state, j.reason, j.next_due_us,
    j.fired_count, j.flags, j.created_by, j.created_at_us, j.updated_at_us,
    CASE WHEN EXISTS (SELECT 1 FROM job_runs o WHERE o.job_id = j.id
        AND (o.owner IS NOT NULL OR o.ready_at_us IS NOT NULL)) THEN 1 ELSE 0 END,
    CASE WHEN EXISTS (SELECT 1 FROM runs u
        WHERE u.key = 'job:' || j.uid || ':' || CAST(j.next_due_us AS TEXT))
        THEN 1 ELSE 0 END
FROM jobs j WHERE j.state = 'scheduled' AND j.next_due_us <= :now
ORDER BY j.next_due_us LIMIT :limit
FOR NO KEY UPDATE OF j SKIP LOCKED

-- Runs that may start now, oldest first, with their jobs; of a job whose runs go one by one
-- only the first, and none while one goes on. Rows that
-- another scheduler is just at are passed over.
-- name: ready_runs
SELECT r.run_id, r.due_us, r.cause, r.attempt,
    j.id, j.uid, j.spec, j.schedule, j.rev, j.state, j.reason, j.next_due_us,
    j.fired_count, j.flags, j.created_by, j.created_at_us, j.updated_at_us
FROM job_runs r JOIN jobs j ON j.id = r.job_id
WHERE r.ready_at_us <= :now AND (r.is_alone = 0 OR NOT EXISTS (
    SELECT 1 FROM job_runs o WHERE o.job_id = r.job_id AND o.run_id <> r.run_id
        AND (o.owner IS NOT NULL OR o.ready_at_us IS NOT NULL)
        AND (o.owner IS NOT NULL OR o.run_id < r.run_id)))
ORDER BY r.ready_at_us, r.run_id LIMIT :limit
FOR NO KEY UPDATE OF r SKIP LOCKED

-- Those of a scheduler that did not begin yet; nobody else has them before this transaction ends.
-- name: claimed_of_owner
SELECT r.run_id FROM job_runs r JOIN runs u ON u.id = r.run_id
WHERE r.owner = :owner AND u.state = 'claimed'
FOR NO KEY UPDATE OF r

-- name: server_time
SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)
