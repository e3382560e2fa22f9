"""Skills as folders with a SKILL.md: found, read, and told apart by what is in them."""
