-- Repairs: how failed calls were put right, and what came before calls that worked.
--
-- All of it is said by the session's calls, again, in small numbers: no text, so that a
-- session that goes leaves nothing here. It holds while the session has as many messages
-- and calls as then; a trigger removes it when a call is judged otherwise.

CREATE TABLE mined_sessions (
    session_id INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    version INTEGER NOT NULL,         -- of the way of mining
    message_count INTEGER NOT NULL,   -- of the session when it was mined
    tool_call_count INTEGER NOT NULL
);

-- A call that was open is answered by a message, which the counts show.
CREATE TRIGGER mined_call_changed
AFTER UPDATE OF shape_id, active, outcome, error_kind ON tool_calls
WHEN OLD.outcome <> 'pending' AND (NEW.shape_id <> OLD.shape_id
    OR NEW.active <> OLD.active OR NEW.outcome <> OLD.outcome
    OR NEW.error_kind IS NOT OLD.error_kind) BEGIN
    DELETE FROM mined_sessions WHERE session_id = NEW.id >> 32;
END;

CREATE TABLE repairs (
    session_id INTEGER NOT NULL REFERENCES mined_sessions ON DELETE CASCADE,
    failed_call INTEGER NOT NULL,
    worked_call INTEGER NOT NULL,     -- of the same tool, soon after
    tool_id INTEGER NOT NULL REFERENCES tools,
    failed_shape_id INTEGER NOT NULL REFERENCES shapes,
    worked_shape_id INTEGER NOT NULL REFERENCES shapes,
    error_kind TEXT NOT NULL,
    error_words INTEGER NOT NULL,     -- a checksum of the plain words that it begins with
    PRIMARY KEY (session_id, failed_call)
) WITHOUT ROWID;
CREATE INDEX repairs_kind ON repairs (tool_id, error_kind, failed_shape_id);

-- How the calls of one shape went in one session.
CREATE TABLE shape_calls (
    session_id INTEGER NOT NULL REFERENCES mined_sessions ON DELETE CASCADE,
    shape_id INTEGER NOT NULL REFERENCES shapes,
    worked_call INTEGER,              -- the one that is best shown; NULL: none worked
    worked INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    before TEXT NOT NULL,             -- three whole numbers for each step that came before
    PRIMARY KEY (session_id, shape_id)
) WITHOUT ROWID;
CREATE INDEX shape_calls_shape ON shape_calls (shape_id, session_id);
