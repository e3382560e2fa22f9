"""Live sessions: recorded message by message, durable when an append returns."""
