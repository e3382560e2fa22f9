"""The marks and control words of the shell language, as the scanner needs them.

`STEP` matches at every place of a text: blanks and comments, then a run of plain words,
then what stands behind it. Its group is 0 or `RUN` where a word with quotes or
expansions begins. Quantifiers are possessive: no text makes it look back.
"""

from __future__ import annotations

import re

_PLAIN = r"[^\s|&;<>()$`\"'\\]"
_WORD = rf"[^\s|&;<>()$`\"'\\\#]{_PLAIN}*+(?=[ \t\r\n|&;()]|\Z)"
_FD = r"(?:\d++|\{\w++\})?+"
STEP = re.compile(
    rf"""
    [ \t\r]*+(?:(?:\\\r?\n|\#[^\n]*+)[ \t\r]*+)*+                     # blanks, comment
    (?:({_WORD}(?:[ \t\r]++{_WORD})*+)                               # 1 plain words
       (?:(?:[ \t\r]++|\\\r?\n)(?:\#[^\n]*+)?+)*+)?+
    (?:(&&|\|[|&]?|;;?&?|&(?!>)|\n|\Z)                               # 2 operator
      |({_FD}(?:&>>?|>>|>\||>&|>|<&|<>|<)                            # 3 redirect
          [ \t]*+{_PLAIN}++(?=[\s|&;<>()]|\Z))
      |(\(\(|\(\s*+\)|\(|\))                                         # 4 bracket
      |({_FD}(?:<<<|<<-?|&>>?|>>|>\||>&|>(?!\()|<&|<>|<(?!\()))      # 5 redirect, begun
    )?+
    """,
    re.VERBOSE,
)
RUN, OPERATOR, REDIRECT, BRACKET = range(1, 5)
EACH_WORD = re.compile(r"\S+")

OPENS = {"if": "fi", "do": "done", "{": "}"}
CLOSES = frozenset({"fi", "done", "}"})
HEADINGS = frozenset({"for", "select", "case"})
LOSES_STATUS = frozenset({"for", "select", "while", "until", "!"})
CONTROL = frozenset(
    {*OPENS, *CLOSES, *HEADINGS, *LOSES_STATUS}
    | {"then", "elif", "else", "function", "esac", "[["}
)
WAITS_FOR_MORE = frozenset({"&&", "||", "|", "|&"})
NEXT_PATTERN = frozenset({";;", ";&", ";;&"})
SEQUENCES = frozenset({"\n", ";", *NEXT_PATTERN})
ARRAY = "array"
