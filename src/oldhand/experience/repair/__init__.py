"""Repairs: how calls that failed were put right, and what came before calls that worked.

`past_calls` reads a session's calls, `pairs` and `before` look at them, `keep` writes down
what was found, `mined` knows of which sessions; `known` asks for it when a call has failed,
`precondition` compares, `change` says in words what was done otherwise.
"""
