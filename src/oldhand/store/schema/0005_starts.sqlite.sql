-- Starts: what was counted and looked at for one, kept for the next; whose an addendum is.
--
-- A row of pool_counts says again what the session's calls say, so that a warm start need
-- not read them all. It counts while the session has as many messages and calls as then;
-- triggers remove it when something else about it changes, so that no writer can forget to.

CREATE TABLE pool_counts (
    session_id INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    version INTEGER NOT NULL,         -- of the way of counting
    message_count INTEGER NOT NULL,   -- of the session when it was counted
    tool_call_count INTEGER NOT NULL,
    words TEXT NOT NULL,              -- of the task, separated by spaces
    counts TEXT NOT NULL              -- four whole numbers for each shape, and commas
);

CREATE TRIGGER pool_call_changed
AFTER UPDATE OF shape_id, active, outcome, example_tokens ON tool_calls
WHEN NEW.shape_id <> OLD.shape_id OR NEW.active <> OLD.active
    OR NEW.outcome <> OLD.outcome OR NEW.example_tokens <> OLD.example_tokens BEGIN
    DELETE FROM pool_counts WHERE session_id = NEW.id >> 32;
END;

CREATE TRIGGER pool_task_changed AFTER UPDATE OF task ON sessions
WHEN NEW.task IS NOT OLD.task BEGIN
    DELETE FROM pool_counts WHERE session_id = NEW.id;
END;

-- Calls that were looked at for showing them: weighed, then redacted and cut. A row counts
-- where the same rules would look at the same texts; a name of the rules and a digest say so.
CREATE TABLE weighed_calls (
    call INTEGER PRIMARY KEY REFERENCES tool_calls ON DELETE CASCADE,
    rules TEXT NOT NULL,
    digest TEXT NOT NULL,             -- of the tool and its arguments
    is_risky INTEGER NOT NULL CHECK (is_risky IN (0, 1))
);

CREATE TABLE shown_calls (
    call INTEGER NOT NULL REFERENCES tool_calls ON DELETE CASCADE,
    result_chars INTEGER NOT NULL,    -- how much of the result was asked for
    rules TEXT NOT NULL,
    digest TEXT NOT NULL,             -- of all the texts as they were
    texts TEXT NOT NULL,              -- a JSON list of them, redacted
    PRIMARY KEY (call, result_chars)
);

-- Somebody else wrote the addendum, and nobody here has said that it may be shown.
ALTER TABLE templates ADD COLUMN has_foreign_addendum INTEGER NOT NULL DEFAULT 0
    CHECK (has_foreign_addendum IN (0, 1));
