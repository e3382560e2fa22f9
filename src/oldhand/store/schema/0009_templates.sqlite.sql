-- Templates, finished: proposals, what takes a version's place, where examples come from.

-- An agent made it, and no person has accepted it yet: it is not given.
ALTER TABLE templates ADD COLUMN is_proposed INTEGER NOT NULL DEFAULT 0
    CHECK (is_proposed IN (0, 1));
ALTER TABLE templates ADD COLUMN retired_at_us INTEGER; -- it is not given any more
ALTER TABLE templates ADD COLUMN successor TEXT;        -- a name, or name@version
ALTER TABLE templates ADD COLUMN principal TEXT;        -- its maker: who built or imported it

ALTER TABLE template_examples ADD COLUMN agent TEXT;    -- with its version
ALTER TABLE template_examples ADD COLUMN principal TEXT;
ALTER TABLE template_examples ADD COLUMN tool_digest TEXT; -- of the definition it was held against
-- Of how many principals the sessions are that support it.
ALTER TABLE template_examples ADD COLUMN principals INTEGER NOT NULL DEFAULT 0;
-- Its result may be a stranger's, and is left out.
ALTER TABLE template_examples ADD COLUMN is_tainted INTEGER NOT NULL DEFAULT 0
    CHECK (is_tainted IN (0, 1));

-- The highest version that a name ever had: the number of a deleted one does not come back,
-- or what a person has read under it could be another thing by the time they accept it.
CREATE TABLE template_versions (
    name TEXT PRIMARY KEY,
    version INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO template_versions (name, version)
    SELECT name, max(version) FROM templates GROUP BY name;
