"""The policy file that a new installation begins with: everything is asked."""

from __future__ import annotations

EXPLANATION = """\
# What agents may do without asking, what a person decides, and what nobody may.
#
# Try a change before it counts:   oldhand confirm policy test calls.jsonl
# It also says which rules or standing grants would spare you the most questions.

version = 1

# Where no rule matches: ask | allow | deny
default = "ask"

# How often an agent may have a person asked for one action, where `oldhand serve
# --rate-limit` does not say; 10 in an hour unless it is said here:
# limit = "10/1h per requester"

# Every rule that matches has its say; their order in this file means nothing:
#     deny  >  ask  >  standing grant  >  allow  >  default
#
# A person sees the following first, whatever an allow rule, a standing grant or the
# default says (a deny rule still forbids it):
#   - actions named deploy_production, delete_data, transfer_funds, modify_permissions,
#     shutdown_service, wipe_database, exec_remote, publish_package, rotate_keys,
#     migrate_database, in any case and notation;
#   - tools and command lines that do such things: rm -rf, git push, sudo, curl | sh,
#     terraform apply, DROP TABLE, ssh HOST COMMAND, alembic upgrade, and many more;
#   - command lines that cannot be taken apart with certainty.
#
# A rule:
#
#   [[rule]]
#   id = "small-refunds"              # unique; audit rows refer to it
#   effect = "allow"                  # allow | ask | deny
#   match = { action = "give_back", details.amount = { le = 50 } }
#   why = "Small sums."               # one sentence for people, optional
#   risk = "low"                      # low | medium | high, optional
#   limit = "20/1h per requester"     # allow and ask
#   grant_ttl = "5m"                  # allow and ask: how long the right to run waits
#   ttl = "30m"                       # ask: how long the question waits
#   remember = { for = "30d", uses = 20 }   # ask: or "session", or "never"
#
# An ask rule without `remember` is asked every time; with it, the person may make a
# standing grant of the answer, for just this call.
#
# match: all of it must hold; a field that is not named may have any value. action, target, requester, session_key and risk take a glob
# or a list of globs; note that risk and target are what the agent says. In a glob * is
# any text, ? any one character, all else is itself, and case matters. Details nest by
# dots (details.user.name; details."a.b" for a key that holds a dot) and take a value, or:
#   eq, in, not_in          of one kind only: true is not 1, "50" is not 50
#   glob, starts_with       texts, one or a list; in an allow rule no path with .. in it
#   lt, le, gt, ge          numbers
#   exists                  true or false
#   shell_any, shell_all    command lines, as a text or a list of words. An allow rule
#                           must match every part of the line, and matches none that has
#                           more than plain commands in it: assignments, redirects to
#                           files, substitutions, sudo, xargs, bash -c. A deny or ask rule
#                           (shell_any) needs to match one part, however deep it hides.
"""
"""What every key of a policy file means, as comments, above what holds without a rule."""

_EXAMPLES = """\
# Examples. Take the # away from what suits you.
#
# [[rule]]
# id = "look-at-files"
# effect = "allow"
# match = { action = ["Read", "Grep", "Glob", "LS"] }
#
# [[rule]]
# id = "no-looking-at-secrets"        # deny wins, also over the rule above
# effect = "deny"
# match = { action = ["Read", "Grep"], details.file_path = { glob = ["*/.ssh/*", "*.env", "*.pem"] } }
#
# [[rule]]
# id = "look-at-git"
# effect = "allow"
# match = { action = "Bash", details.command = { shell_all = ["git status", "git status *", "git diff", "git diff *", "git log", "git log *", "ls", "ls *", "cd *"] } }
#
# [[rule]]
# id = "production-is-asked-each-time"
# effect = "ask"
# match = { details.env = { in = ["prod", "production"] } }
# risk = "high"
# ttl = "30m"
#
# [[rule]]
# id = "never-format"
# effect = "deny"
# match = { action = ["Bash", "terminal"], details.command = { shell_any = ["mkfs*", "rm -rf /"] } }
"""

DEFAULT_POLICY_TEXT = f"{EXPLANATION}#\n{_EXAMPLES}"
