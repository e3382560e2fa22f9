-- Repairs: how failed calls were put right, and what came before calls that worked.
--
-- All of it is said by the session's calls, again, in small numbers: no text, so that a
-- session that goes leaves nothing here. It holds while the session has as many messages
-- and calls as then; a trigger removes it when a call is judged otherwise.

CREATE TABLE mined_sessions (
    session_id BIGINT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    version BIGINT NOT NULL,         -- of the way of mining
    message_count BIGINT NOT NULL,   -- of the session when it was mined
    tool_call_count BIGINT NOT NULL
);

CREATE FUNCTION mined_forget_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM mined_sessions WHERE session_id = NEW.id >> 32;
    RETURN NULL;
END
$$;

-- A call that was open is answered by a message, which the counts show.
CREATE TRIGGER mined_call_changed
AFTER UPDATE OF shape_id, active, outcome, error_kind ON tool_calls
FOR EACH ROW WHEN (OLD.outcome <> 'pending' AND (NEW.shape_id <> OLD.shape_id
    OR NEW.active <> OLD.active OR NEW.outcome <> OLD.outcome
    OR NEW.error_kind IS DISTINCT FROM OLD.error_kind))
EXECUTE FUNCTION mined_forget_call();

CREATE TABLE repairs (
    session_id BIGINT NOT NULL REFERENCES mined_sessions ON DELETE CASCADE,
    failed_call BIGINT NOT NULL,
    worked_call BIGINT NOT NULL,     -- of the same tool, soon after
    tool_id BIGINT NOT NULL REFERENCES tools,
    failed_shape_id BIGINT NOT NULL REFERENCES shapes,
    worked_shape_id BIGINT NOT NULL REFERENCES shapes,
    error_kind TEXT NOT NULL,
    error_words BIGINT NOT NULL,     -- a checksum of the plain words that it begins with
    PRIMARY KEY (session_id, failed_call)
);
CREATE INDEX repairs_kind ON repairs (tool_id, error_kind, failed_shape_id);

-- How the calls of one shape went in one session.
CREATE TABLE shape_calls (
    session_id BIGINT NOT NULL REFERENCES mined_sessions ON DELETE CASCADE,
    shape_id BIGINT NOT NULL REFERENCES shapes,
    worked_call BIGINT,              -- the one that is best shown; NULL: none worked
    worked BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    before TEXT NOT NULL,             -- three whole numbers for each step that came before
    PRIMARY KEY (session_id, shape_id)
);
CREATE INDEX shape_calls_shape ON shape_calls (shape_id, session_id);
