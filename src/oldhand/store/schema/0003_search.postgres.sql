-- The words of messages, and which sessions have some that are not in the index yet.
--
-- The index is filled outside of the append. A session waits from the first message on
-- whose text is not in it; triggers keep that, so that no writer can forget to. DO UPDATE
-- locks the row even where it changes nothing: so an append waits for a filling of the
-- same session that is about to end the wait, and then begins a new one.

CREATE TABLE message_search (
    message_id BIGINT PRIMARY KEY,
    document TSVECTOR NOT NULL        -- of the redacted and folded text
);
CREATE INDEX message_search_document ON message_search USING gin (document);

CREATE TABLE search_pending (
    session_id BIGINT PRIMARY KEY,
    first_id BIGINT NOT NULL          -- this message and all after it are to be indexed
);
INSERT INTO search_pending (session_id, first_id) SELECT id, id << 22 FROM sessions;

CREATE FUNCTION search_wait_for_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_pending AS p (session_id, first_id) VALUES (NEW.id >> 22, NEW.id)
    ON CONFLICT (session_id) DO UPDATE SET first_id = excluded.first_id
        WHERE excluded.first_id < p.first_id;
    RETURN NULL;
END
$$;

CREATE FUNCTION search_wait_for_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_pending AS p (session_id, first_id)
    VALUES (NEW.id >> 32, NEW.id >> 10)
    ON CONFLICT (session_id) DO UPDATE SET first_id = excluded.first_id
        WHERE excluded.first_id < p.first_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER search_message_added AFTER INSERT ON messages
FOR EACH ROW EXECUTE FUNCTION search_wait_for_message();

-- A text that becomes empty was moved or pruned: it has said nothing new.
CREATE TRIGGER search_message_changed AFTER UPDATE OF content ON messages
FOR EACH ROW WHEN (NEW.content <> OLD.content AND NEW.content <> '')
EXECUTE FUNCTION search_wait_for_message();

CREATE TRIGGER search_call_added AFTER INSERT ON tool_calls
FOR EACH ROW EXECUTE FUNCTION search_wait_for_call();

CREATE TRIGGER search_call_changed AFTER UPDATE OF arguments ON tool_calls
FOR EACH ROW WHEN (NEW.arguments <> OLD.arguments)
EXECUTE FUNCTION search_wait_for_call();
