-- What the runs of all cells add up to, in words for SQLite.
--
-- LIMIT -1 keeps a subquery apart, so that a weight is worked out once and not in each sum:
-- twice as quick. Runs older than 480 half-lives count as nothing: `decayed.py`.

-- name: lock_sums
SELECT 1

-- The sums of each cell in one pass, apart by what is known of a run: by its outcome (0, 1,
-- or 2 for unknown) and whether cost, duration and quality are NULL. `rebuild.py` puts them
-- together. Half as many sums as one of each kind took a third less time.
-- name: rebuilt_sums
WITH weighed AS (
    SELECT share, started_at_us, cost, seconds, quality, drawn,
        ((cell_id * 3 + coalesce(success, 2)) * 8 + CAST(cost IS NULL AS INTEGER) * 4
            + CAST(seconds IS NULL AS INTEGER) * 2 + CAST(quality IS NULL AS INTEGER))
            AS kind,
        CASE WHEN days > 480 * 1 THEN 0
            ELSE share * power(2.0, -days / 1) END AS w1,
        CASE WHEN days > 480 * 7 THEN 0
            ELSE share * power(2.0, -days / 7) END AS w7,
        CASE WHEN days > 480 * 30 THEN 0
            ELSE share * power(2.0, -days / 30) END AS w30
    FROM (
        SELECT i.cell_id, i.share, r.started_at_us, r.success, r.cost_microusd AS cost,
            r.duration_us / 1000000.0 AS seconds, r.quality,
            r.draw_probability AS drawn,
            (:at_us - r.ended_at_us) / 86400000000.0 AS days
        FROM skill_invocations i JOIN runs r ON r.id = i.id >> 8
        WHERE r.ended_at_us IS NOT NULL
    ) AS told LIMIT -1
)
SELECT kind, count(*), count(drawn), coalesce(sum(share * cost), 0), max(started_at_us),
    sum(w1), sum(w1 * w1), coalesce(sum(w1 * cost), 0),
    coalesce(sum(w1 * w1 * cost), 0), coalesce(sum(w1 * w1 * cost * cost), 0),
    coalesce(sum(w1 * seconds), 0), coalesce(sum(w1 * quality), 0),
    sum(w7), sum(w7 * w7), coalesce(sum(w7 * cost), 0),
    coalesce(sum(w7 * w7 * cost), 0), coalesce(sum(w7 * w7 * cost * cost), 0),
    coalesce(sum(w7 * seconds), 0), coalesce(sum(w7 * quality), 0),
    sum(w30), sum(w30 * w30), coalesce(sum(w30 * cost), 0),
    coalesce(sum(w30 * w30 * cost), 0), coalesce(sum(w30 * w30 * cost * cost), 0),
    coalesce(sum(w30 * seconds), 0), coalesce(sum(w30 * quality), 0)
FROM weighed GROUP BY kind

-- What ended in a window, weighed by any half-life, by skill, model and provider.
-- name: window_sums
WITH weighed AS (
    SELECT cell_id, started_at_us, success, cost, seconds, quality, day,
        CASE WHEN days <= 0 THEN share WHEN days > 480 * half_life THEN 0
            ELSE share * power(2.0, -days / half_life) END AS w
    FROM (
        SELECT i.cell_id, i.share, r.started_at_us, r.success, r.cost_microusd AS cost,
            r.duration_us / 1000000.0 AS seconds, r.quality,
            r.draw_probability AS drawn, r.ended_at_us / 86400000000 AS day,
            CAST(:half_life_days AS DOUBLE PRECISION) AS half_life,
            (:at_us - r.ended_at_us) / 86400000000.0 AS days
        FROM runs r
        JOIN skill_invocations i ON i.id >= r.id << 8 AND i.id < (r.id + 1) << 8
        WHERE r.ended_at_us > :after_us AND r.ended_at_us <= :until_us
    ) AS told LIMIT -1
)
SELECT c.skill, c.model, c.provider, count(*), coalesce(sum(success), 0),
    count(success) - coalesce(sum(success), 0), count(cost), count(DISTINCT day),
    max(started_at_us),
    coalesce(sum(w) FILTER (WHERE success IS NOT NULL), 0),
    coalesce(sum(w * w) FILTER (WHERE success IS NOT NULL), 0),
    coalesce(sum(w * success), 0),
    coalesce(sum(w) FILTER (WHERE cost IS NOT NULL), 0),
    coalesce(sum(w * cost), 0),
    coalesce(sum(w * success) FILTER (WHERE cost IS NOT NULL), 0),
    coalesce(sum(w * cost) FILTER (WHERE success IS NOT NULL), 0),
    coalesce(sum(w * w * success) FILTER (WHERE cost IS NOT NULL), 0),
    coalesce(sum(w * w * cost * cost) FILTER (WHERE success IS NOT NULL), 0),
    coalesce(sum(w * w * cost * success), 0),
    coalesce(sum(w) FILTER (WHERE seconds IS NOT NULL), 0),
    coalesce(sum(w * seconds), 0),
    coalesce(sum(w) FILTER (WHERE quality IS NOT NULL), 0),
    coalesce(sum(w * quality), 0)
FROM weighed JOIN skill_cells c ON c.id = cell_id
WHERE (CAST(:skill AS TEXT) IS NULL OR c.skill = :skill)
GROUP BY c.skill, c.model, c.provider
ORDER BY max(started_at_us) DESC, c.skill, c.model, c.provider
