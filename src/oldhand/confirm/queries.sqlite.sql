-- What SQLite says in its own way.

-- name: hold_chain
SELECT 1
