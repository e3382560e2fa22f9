"""Search: messages are indexed behind the appends, and found with a snippet."""
