-- Starts: what was counted and looked at for one, kept for the next; whose an addendum is.
--
-- A row of pool_counts says again what the session's calls say, so that a warm start need
-- not read them all. It counts while the session has as many messages and calls as then;
-- triggers remove it when something else about it changes, so that no writer can forget to.

CREATE TABLE pool_counts (
    session_id BIGINT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    version BIGINT NOT NULL,          -- of the way of counting
    message_count BIGINT NOT NULL,    -- of the session when it was counted
    tool_call_count BIGINT NOT NULL,
    words TEXT NOT NULL,              -- of the task, separated by spaces
    counts TEXT NOT NULL              -- four whole numbers for each shape, and commas
);

CREATE FUNCTION pool_forget_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM pool_counts WHERE session_id = NEW.id >> 32;
    RETURN NULL;
END
$$;

CREATE FUNCTION pool_forget_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM pool_counts WHERE session_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER pool_call_changed
AFTER UPDATE OF shape_id, active, outcome, example_tokens ON tool_calls
FOR EACH ROW WHEN (NEW.shape_id <> OLD.shape_id OR NEW.active <> OLD.active
    OR NEW.outcome <> OLD.outcome OR NEW.example_tokens <> OLD.example_tokens)
EXECUTE FUNCTION pool_forget_call();

CREATE TRIGGER pool_task_changed AFTER UPDATE OF task ON sessions
FOR EACH ROW WHEN (NEW.task IS DISTINCT FROM OLD.task)
EXECUTE FUNCTION pool_forget_task();

-- Calls that were looked at for showing them: weighed, then redacted and cut. A row counts
-- where the same rules would look at the same texts; a name of the rules and a digest say so.
CREATE TABLE weighed_calls (
    call BIGINT PRIMARY KEY REFERENCES tool_calls ON DELETE CASCADE,
    rules TEXT NOT NULL,
    digest TEXT NOT NULL,             -- of the tool and its arguments
    is_risky SMALLINT NOT NULL CHECK (is_risky IN (0, 1))
);

CREATE TABLE shown_calls (
    call BIGINT NOT NULL REFERENCES tool_calls ON DELETE CASCADE,
    result_chars BIGINT NOT NULL,     -- how much of the result was asked for
    rules TEXT NOT NULL,
    digest TEXT NOT NULL,             -- of all the texts as they were
    texts TEXT NOT NULL,              -- a JSON list of them, redacted
    PRIMARY KEY (call, result_chars)
);

-- Somebody else wrote the addendum, and nobody here has said that it may be shown.
ALTER TABLE templates ADD COLUMN has_foreign_addendum SMALLINT NOT NULL DEFAULT 0
    CHECK (has_foreign_addendum IN (0, 1));
