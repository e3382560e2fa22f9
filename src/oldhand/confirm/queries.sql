-- Requests and what becomes of them, who asks and who decides, and the log.

-- name: end_of_chain
SELECT seq, hash, at_us FROM audit ORDER BY seq DESC LIMIT 1

-- name: add_audit
INSERT INTO audit (seq, at_us, kind, request_id, principal, body, hash)
VALUES (:seq, :at_us, :kind, :request_id, :principal, :body, :hash)

-- name: audit_after
SELECT seq, at_us, kind, request_id, principal, body, hash FROM audit
WHERE seq > :after ORDER BY seq LIMIT :limit

-- name: audit_before
SELECT seq, at_us, kind, request_id, principal, body, hash FROM audit
WHERE seq < :before AND (CAST(:kind AS TEXT) IS NULL OR kind = :kind)
    AND (CAST(:principal AS TEXT) IS NULL OR principal = :principal)
ORDER BY seq DESC LIMIT :limit

-- name: audit_of_request
SELECT seq, at_us, kind, request_id, principal, body, hash FROM audit
WHERE request_id = :request_id AND seq < :before ORDER BY seq DESC LIMIT :limit

-- name: add_checkpoint
INSERT INTO checkpoints (seq, hash, at_us, key_id, signature)
VALUES (:seq, :hash, :at_us, :key_id, :signature) ON CONFLICT (seq) DO NOTHING

-- name: checkpoints
SELECT seq, hash, at_us, key_id, signature FROM checkpoints ORDER BY seq

-- name: newest_checkpoint
SELECT seq, hash, at_us, key_id, signature FROM checkpoints ORDER BY seq DESC LIMIT 1

-- name: add_principal
INSERT INTO principals (name, kind, owner_id, groups, created_at_us)
VALUES (:name, :kind, :owner_id, :groups, :created_at_us)

-- name: principal_named
SELECT p.id, p.name, p.kind, o.name, p.owner_id, p.disabled_at_us IS NOT NULL
FROM principals p LEFT JOIN principals o ON o.id = p.owner_id WHERE p.name = :name

-- name: principals
SELECT p.id, p.name, p.kind, o.name, p.owner_id, p.disabled_at_us IS NOT NULL
FROM principals p LEFT JOIN principals o ON o.id = p.owner_id ORDER BY p.id

-- name: disable_principal
UPDATE principals SET disabled_at_us = :at_us WHERE id = :id AND disabled_at_us IS NULL

-- name: principal_of_secret
SELECT p.id, p.name, p.kind, o.name, p.owner_id, p.disabled_at_us IS NOT NULL, c.expires_at_us
FROM credentials c JOIN principals p ON p.id = c.principal_id
LEFT JOIN principals o ON o.id = p.owner_id
WHERE c.secret_digest = :secret_digest AND c.kind = :kind AND c.revoked_at_us IS NULL
    AND (c.expires_at_us IS NULL OR c.expires_at_us > :now_us)
    AND p.disabled_at_us IS NULL

-- name: add_credential
INSERT INTO credentials (principal_id, kind, secret_digest, label, created_at_us, expires_at_us)
VALUES (:principal_id, :kind, :secret_digest, :label, :created_at_us, :expires_at_us)

-- name: password_of
SELECT secret_digest FROM credentials
WHERE principal_id = :principal_id AND kind = 'password' AND revoked_at_us IS NULL
ORDER BY id DESC LIMIT 1

-- name: revoke_secret
UPDATE credentials SET revoked_at_us = :at_us
WHERE secret_digest = :secret_digest AND kind = :kind AND revoked_at_us IS NULL

-- name: revoke_credentials
UPDATE credentials SET revoked_at_us = :at_us
WHERE principal_id = :principal_id AND kind = :kind AND revoked_at_us IS NULL

-- name: revoke_credential
UPDATE credentials SET revoked_at_us = :at_us WHERE id = :id AND revoked_at_us IS NULL

-- name: credentials
SELECT c.id, p.name, c.kind, c.label, c.created_at_us, c.expires_at_us
FROM credentials c JOIN principals p ON p.id = c.principal_id
WHERE c.kind IN ('token', 'web_session') AND c.revoked_at_us IS NULL
    AND (c.expires_at_us IS NULL OR c.expires_at_us > :now_us) ORDER BY c.id

-- name: drop_old_credentials
DELETE FROM credentials WHERE kind IN ('link', 'web_session') AND expires_at_us < :before_us

-- name: active_policy
SELECT version, digest FROM policies ORDER BY version DESC LIMIT 1

-- name: policy_version
SELECT digest, text FROM policies WHERE version = :version

-- name: policies
SELECT version, digest, active_from_us FROM policies ORDER BY version DESC LIMIT 100

-- name: add_policy
INSERT INTO policies (version, digest, text, active_from_us)
VALUES (:version, :digest, :text, :active_from_us)

-- name: nth_newest
-- When the one was asked for that a limit of so many lets be the last.
SELECT created_at_us FROM requests
WHERE requester_id = :requester_id AND action = :action AND created_at_us > :after_us
    AND quorum > 0
ORDER BY created_at_us DESC LIMIT 1 OFFSET :offset

-- name: nth_newest_by_rule
SELECT created_at_us FROM requests
WHERE requester_id = :requester_id AND action = :action AND created_at_us > :after_us
    AND rule = :rule
ORDER BY created_at_us DESC LIMIT 1 OFFSET :offset

-- name: pending_of
-- The plus keeps it from the index of all that the requester ever asked.
SELECT COUNT(*) FROM requests
WHERE finished_at_us IS NULL AND state = 'pending' AND +requester_id = :requester_id

-- name: pending_count
SELECT COUNT(*) FROM requests
WHERE finished_at_us IS NULL AND state = 'pending' AND expires_at_us > :now_us

-- name: is_held
SELECT 1 FROM requests
WHERE finished_at_us IS NULL AND state = 'pending' AND expires_at_us > :now_us
    AND session_key = :session_key LIMIT 1

-- name: add_request
INSERT INTO requests (id, rev, state, requester_id, owner_id, action, details, description,
    target, session_key, risk, digest, policy_version, rule, why, standing_grant, level, quorum,
    idempotency_key, timeout_seconds, grant_seconds, created_at_us, expires_at_us,
    decided_at_us, decided_by, finished_at_us)
VALUES (:id, 1, :state, :requester_id, :owner_id, :action, :details, :description,
    :target, :session_key, :risk, :digest, :policy_version, :rule, :why, :standing_grant,
    :level, :quorum, :idempotency_key, :timeout_seconds, :grant_seconds, :created_at_us,
    :expires_at_us, :decided_at_us, :decided_by, :finished_at_us)

-- name: request_of_key
SELECT id FROM requests WHERE requester_id = :requester_id AND idempotency_key = :idempotency_key

-- name: find_request
SELECT r.id, r.rev, r.state, p.name, r.requester_id, r.owner_id, r.action, r.details,
    r.original_details, r.description, r.target, r.session_key, r.risk, r.digest,
    r.policy_version, r.rule, r.why, r.standing_grant, r.level, r.timeout_seconds,
    r.grant_seconds, r.created_at_us, r.expires_at_us, r.decided_at_us, r.decided_by, r.reason,
    r.consumed_at_us, r.grant_id, r.finished_at_us, r.result
FROM requests r JOIN principals p ON p.id = r.requester_id WHERE r.id = :id

-- name: state_of
SELECT state, rev, requester_id FROM requests WHERE id = :id

-- name: newest_requests
SELECT r.id, r.rev, r.state, p.name, r.requester_id, r.owner_id, r.action, r.details,
    r.original_details, r.description, r.target, r.session_key, r.risk, r.digest,
    r.policy_version, r.rule, r.why, r.standing_grant, r.level, r.timeout_seconds,
    r.grant_seconds, r.created_at_us, r.expires_at_us, r.decided_at_us, r.decided_by, r.reason,
    r.consumed_at_us, r.grant_id, r.finished_at_us, r.result
FROM requests r JOIN principals p ON p.id = r.requester_id
WHERE (CAST(:requester_id AS BIGINT) IS NULL OR r.requester_id = :requester_id)
    AND (:states = '' OR :states LIKE '%,' || r.state || ',%')
    AND r.created_at_us < :before_us
ORDER BY r.number DESC LIMIT :limit

-- name: like_requests
-- Earlier ones of a requester for an action, by the index of both: the newest first.
SELECT r.id, r.rev, r.state, p.name, r.requester_id, r.owner_id, r.action, r.details,
    r.original_details, r.description, r.target, r.session_key, r.risk, r.digest,
    r.policy_version, r.rule, r.why, r.standing_grant, r.level, r.timeout_seconds,
    r.grant_seconds, r.created_at_us, r.expires_at_us, r.decided_at_us, r.decided_by, r.reason,
    r.consumed_at_us, r.grant_id, r.finished_at_us, r.result
FROM requests r JOIN principals p ON p.id = r.requester_id
WHERE r.requester_id = :requester_id AND r.action = :action
    AND r.created_at_us <= :before_us AND r.id <> :id
ORDER BY r.created_at_us DESC LIMIT :limit

-- name: open_requests
-- The oldest first. The plus has them sorted, and found by the index of what is open.
SELECT r.id, r.rev, r.state, p.name, r.requester_id, r.owner_id, r.action, r.details,
    r.original_details, r.description, r.target, r.session_key, r.risk, r.digest,
    r.policy_version, r.rule, r.why, r.standing_grant, r.level, r.timeout_seconds,
    r.grant_seconds, r.created_at_us, r.expires_at_us, r.decided_at_us, r.decided_by, r.reason,
    r.consumed_at_us, r.grant_id, r.finished_at_us, r.result
FROM requests r JOIN principals p ON p.id = r.requester_id
WHERE r.finished_at_us IS NULL
    AND (CAST(:requester_id AS BIGINT) IS NULL OR r.requester_id = :requester_id)
    AND :states LIKE '%,' || r.state || ',%'
ORDER BY +r.number LIMIT :limit

-- name: newest_sizes
-- Of the texts that may be long; the engines tell it without reading them.
SELECT r.id, octet_length(r.details) + coalesce(octet_length(r.original_details), 0)
    + octet_length(r.description) + coalesce(octet_length(r.result), 0)
FROM requests r
WHERE (CAST(:requester_id AS BIGINT) IS NULL OR r.requester_id = :requester_id)
    AND (:states = '' OR :states LIKE '%,' || r.state || ',%')
    AND (CAST(:after AS TEXT) IS NULL
        OR r.number < (SELECT number FROM requests WHERE id = :after))
ORDER BY r.number DESC LIMIT :limit

-- name: open_sizes
SELECT r.id, octet_length(r.details) + coalesce(octet_length(r.original_details), 0)
    + octet_length(r.description) + coalesce(octet_length(r.result), 0)
FROM requests r
WHERE r.finished_at_us IS NULL
    AND (CAST(:requester_id AS BIGINT) IS NULL OR r.requester_id = :requester_id)
    AND :states LIKE '%,' || r.state || ',%'
    AND (CAST(:after AS TEXT) IS NULL
        OR r.number > (SELECT number FROM requests WHERE id = :after))
ORDER BY +r.number LIMIT :limit

-- name: approve
-- All that must hold stands in the statement that makes it so.
UPDATE requests SET state = 'approved', rev = rev + 1, details = :details,
    original_details = :original_details, digest = :new_digest, decided_at_us = :now_us,
    decided_by = :by_name, reason = :reason, expires_at_us = :now_us + grant_seconds * 1000000
WHERE id = :id AND state = 'pending' AND rev = :rev AND digest = :digest
    AND expires_at_us > :now_us AND requester_id <> :by_id
    AND (owner_id IS NULL OR owner_id <> :by_id
        OR EXISTS (SELECT 1 FROM kv WHERE key = 'confirm.solo'))
    AND EXISTS (SELECT 1 FROM principals
        WHERE id = :by_id AND kind = 'person' AND disabled_at_us IS NULL)
    AND NOT EXISTS (SELECT 1 FROM kv WHERE key = 'confirm.stopped')

-- name: deny
UPDATE requests SET state = 'denied', rev = rev + 1, decided_at_us = :now_us,
    decided_by = :by_name, reason = :reason, finished_at_us = :now_us
WHERE id = :id AND state = 'pending' AND rev = :rev AND digest = :digest
    AND expires_at_us > :now_us AND requester_id <> :by_id
    AND (owner_id IS NULL OR owner_id <> :by_id
        OR EXISTS (SELECT 1 FROM kv WHERE key = 'confirm.solo'))
    AND EXISTS (SELECT 1 FROM principals
        WHERE id = :by_id AND kind = 'person' AND disabled_at_us IS NULL)

-- name: add_decision
INSERT INTO decisions (request_id, principal_id, decision, reason, digest, details, via, decided_at_us)
VALUES (:request_id, :principal_id, :decision, :reason, :digest, :details, :via, :decided_at_us)

-- name: consume
UPDATE requests SET state = 'consumed', rev = rev + 1, consumed_at_us = :now_us,
    grant_id = :grant_id, expires_at_us = :report_until_us
WHERE id = :id AND requester_id = :by_id AND (state = 'approved' OR state = 'auto_approved')
    AND digest = :digest AND expires_at_us > :now_us
    AND EXISTS (SELECT 1 FROM principals WHERE id = :by_id AND disabled_at_us IS NULL)
    AND NOT EXISTS (SELECT 1 FROM kv WHERE key = 'confirm.stopped')

-- name: finish
UPDATE requests SET state = :state, rev = rev + 1, finished_at_us = :now_us, result = :result
WHERE id = :id AND requester_id = :by_id AND state = 'consumed'

-- name: cancel
UPDATE requests SET state = 'cancelled', rev = rev + 1, finished_at_us = :now_us
WHERE id = :id AND requester_id = :by_id AND state = 'pending' AND expires_at_us > :now_us

-- name: revoke
UPDATE requests SET state = 'revoked', rev = rev + 1, finished_at_us = :now_us, reason = :reason
WHERE id = :id AND (state = 'approved' OR state = 'auto_approved') AND expires_at_us > :now_us

-- name: deny_by_policy
UPDATE requests SET state = 'denied', rev = rev + 1, decided_at_us = :now_us,
    decided_by = 'policy', reason = :reason, finished_at_us = :now_us
WHERE id = :id AND state = 'pending'

-- name: overdue
SELECT id, state FROM requests
WHERE finished_at_us IS NULL AND expires_at_us <= :now_us
ORDER BY expires_at_us LIMIT :limit

-- name: end_overdue
UPDATE requests SET state = :next, rev = rev + 1, finished_at_us = :now_us
WHERE id = :id AND state = :state AND expires_at_us <= :now_us

-- name: pending_ids
SELECT id FROM requests WHERE finished_at_us IS NULL AND state = 'pending' ORDER BY +number

-- name: expire_for_leap
UPDATE requests SET state = 'expired', rev = rev + 1, finished_at_us = :now_us,
    reason = :reason
WHERE id = :id AND state = 'pending'

-- name: standing_grants
SELECT g.id, g.action, g.literal, p.name, g.session_key, g.uses_left, g.use_count,
    g.expires_at_us, g.created_at_us, g.created_by, g.from_request, g.revoked_at_us, g.revoked_by
FROM standing_grants g LEFT JOIN principals p ON p.id = g.requester_id
WHERE :with_ended = 1 OR (g.revoked_at_us IS NULL AND g.expires_at_us > :now_us
    AND (g.uses_left IS NULL OR g.uses_left > 0))
ORDER BY g.number DESC LIMIT :limit

-- name: standing_grants_for
-- Who may not decide what an agent asks can give it no leave beforehand either.
SELECT g.id, g.literal FROM standing_grants g
WHERE g.action = :action AND g.expires_at_us > :now_us AND g.revoked_at_us IS NULL
    AND (g.uses_left IS NULL OR g.uses_left > 0)
    AND (g.requester_id IS NULL OR g.requester_id = :requester_id)
    AND (g.session_key IS NULL OR g.session_key = :session_key)
    AND (NOT EXISTS (SELECT 1 FROM principals
            WHERE id = CAST(:owner_id AS BIGINT) AND name = g.created_by)
        OR EXISTS (SELECT 1 FROM kv WHERE key = 'confirm.solo'))
ORDER BY g.number

-- name: add_standing_grant
INSERT INTO standing_grants (id, action, literal, requester_id, session_key, uses_left,
    expires_at_us, created_at_us, created_by, from_request)
VALUES (:id, :action, :literal, :requester_id, :session_key, :uses_left, :expires_at_us,
    :created_at_us, :created_by, :from_request)

-- name: use_standing_grant
UPDATE standing_grants SET uses_left = uses_left - 1, use_count = use_count + 1
WHERE id = :id AND revoked_at_us IS NULL AND expires_at_us > :now_us
    AND (uses_left IS NULL OR uses_left > 0)

-- name: revoke_standing_grant
UPDATE standing_grants SET revoked_at_us = :now_us, revoked_by = :by_name
WHERE id = :id AND revoked_at_us IS NULL

-- name: is_set
SELECT 1 FROM kv WHERE key = :key

-- name: set_key
INSERT INTO kv (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: unset_key
DELETE FROM kv WHERE key = :key
