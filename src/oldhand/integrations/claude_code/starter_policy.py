"""The policy that a gate in Claude Code begins with: looking is not asked, all else is.

What may pass is small, and each part of a command line must be among it. Programs that can
be told to write or to run something are among it with a rule beside them that asks where an
option for that may be hidden: a brace, a variable, an option cut short.
"""

from __future__ import annotations

from oldhand.confirm.policy import EXPLANATION

_RULES = """\
# What Claude Code does when it only looks, as `oldhand install claude-code --gate` wrote it.
# The file is yours: change it, and the daemon takes it up within a second.

[[rule]]
id = "look-with-tools"
effect = "allow"
why = "It only reads."
match = { action = ["Read", "Grep", "Glob", "LS", "NotebookRead"] }

[[rule]]
id = "look-with-commands"
effect = "allow"
why = "Each part of the line only reads."
match.action = "Bash"
match.details.command.shell_all = [
    "pwd", "cd *", "ls", "ls *", "cat *", "head *", "tail *", "wc", "wc *", "nl *",
    "head", "tail", "cat", "cut *", "tr *", "grep *", "egrep *", "fgrep *", "rg *", "find *",
    "echo", "echo *", "true", "sleep *", "date", "whoami", "uname", "uname *", "basename *",
    "dirname *", "realpath *", "readlink *", "stat *", "du *", "df", "df *", "diff *",
    "cmp *", "jq *", "which *",
    "git status", "git status *", "git diff", "git diff *", "git log", "git log *",
    "git show", "git show *", "git blame *", "git rev-parse *", "git ls-files",
    "git ls-files *", "git ls-tree *", "git merge-base *", "git cat-file *",
    "git describe", "git describe *", "git remote", "git remote -v", "git stash list",
    "git worktree list", "git branch", "git branch -a", "git branch -r", "git branch -v",
    "git branch -vv", "git branch --show-current", "git --no-pager diff *",
    "git --no-pager log *", "git --no-pager show *",
]

[[rule]]
id = "looking-that-may-do-more"
effect = "ask"
why = "An option of it may write, delete, run a program, or show the environment."
remember = { for = "30d" }
match.action = "Bash"
match.details.command.shell_any = [
    "find *-exec*", "find *-ok*", "find *-delete*", "find *-fprint*", "find *-fls*",
    "find *{*", "find *$*",
    "rg *--pre*", "rg *--hostname-bin*", "rg *-{*", "rg {*", "rg * {*", "rg *$*",
    "git *--ou*", "git *--ext-diff*", "git *--textconv*", "git *--filters*", "git *--open*",
    "git * -{*", "git * --*{*", "git * {*", "git *$*",
    "echo *$*", "jq *env*", "jq *ENV*",
]

[[rule]]
id = "secrets-for-commands"
effect = "ask"
why = "It names a place where secrets lie."
match.action = "Bash"
match.details.command.shell_any = [
    "*.ssh*", "*.gnupg*", "*.aws*", "*.kube*", "*.netrc*", "*.npmrc*", "*.pypirc*",
    "*credentials*", "*id_rsa*", "*id_ed25519*", "*.pem*", "*.p12*", "*.oldhand*",
    "* .env*", "*/.env*", "*/etc/shadow*", "*/proc/*",
]

[[rule]]
id = "secrets-for-tools"
effect = "ask"
why = "It names a place where secrets lie."
match.action = ["Read", "NotebookRead"]
match.details.file_path.glob = [
    "*/.ssh/*", "*/.gnupg/*", "*/.aws/*", "*/.kube/*", "*/.netrc", "*/.npmrc", "*/.pypirc",
    "*credentials*", "*id_rsa*", "*id_ed25519*", "*.pem", "*.p12", "*/.oldhand/*",
    "*/.env*", "/etc/shadow", "/proc/*",
]

[[rule]]
id = "secrets-for-searches"
effect = "ask"
why = "It names a place where secrets lie."
match.action = ["Grep", "Glob", "LS"]
match.details.path.glob = [
    "*/.ssh*", "*/.gnupg*", "*/.aws*", "*/.kube*", "*credentials*", "*/.oldhand*",
    "*/.env*", "/proc*",
]
"""

_USUAL_LIMIT = '# limit = "10/1h per requester"'
# In the busiest hour of 162 real sessions 101 calls of one tool would have been asked.
_LIMIT = 'limit = "120/1h per requester"'

STARTER_POLICY_TEXT = EXPLANATION.replace(_USUAL_LIMIT, _LIMIT) + "\n" + _RULES
"""A policy file, with the explanation of every key above the rules."""
