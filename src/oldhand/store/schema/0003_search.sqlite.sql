-- The words of messages, and which sessions have some that are not in the index yet.
--
-- The index is filled outside of the append. A session waits from the first message on
-- whose text is not in it; triggers keep that, so that no writer can forget to. Where a
-- session waits already, a trigger reads one small row and writes nothing.

CREATE VIRTUAL TABLE message_search USING fts5 (
    text,                             -- redacted and folded; rowid is the message's id
    content = '',
    contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 2 categories 'L* N*'"
);

CREATE TABLE search_pending (
    session_id INTEGER PRIMARY KEY,
    first_id INTEGER NOT NULL         -- this message and all after it are to be indexed
);
INSERT INTO search_pending (session_id, first_id) SELECT id, id << 22 FROM sessions;

CREATE TRIGGER search_message_added AFTER INSERT ON messages BEGIN
    INSERT INTO search_pending (session_id, first_id) VALUES (NEW.id >> 22, NEW.id)
    ON CONFLICT (session_id) DO UPDATE SET first_id = excluded.first_id
        WHERE excluded.first_id < first_id;
END;

-- A text that becomes empty was moved or pruned: it has said nothing new.
CREATE TRIGGER search_message_changed AFTER UPDATE OF content ON messages
WHEN NEW.content <> OLD.content AND NEW.content <> '' BEGIN
    INSERT INTO search_pending (session_id, first_id) VALUES (NEW.id >> 22, NEW.id)
    ON CONFLICT (session_id) DO UPDATE SET first_id = excluded.first_id
        WHERE excluded.first_id < first_id;
END;

CREATE TRIGGER search_call_added AFTER INSERT ON tool_calls BEGIN
    INSERT INTO search_pending (session_id, first_id) VALUES (NEW.id >> 32, NEW.id >> 10)
    ON CONFLICT (session_id) DO UPDATE SET first_id = excluded.first_id
        WHERE excluded.first_id < first_id;
END;

CREATE TRIGGER search_call_changed AFTER UPDATE OF arguments ON tool_calls
WHEN NEW.arguments <> OLD.arguments BEGIN
    INSERT INTO search_pending (session_id, first_id) VALUES (NEW.id >> 32, NEW.id >> 10)
    ON CONFLICT (session_id) DO UPDATE SET first_id = excluded.first_id
        WHERE excluded.first_id < first_id;
END;
