"""Which calls give back what strangers wrote: the web, mail, chats, servers of others.

Of such a call only the arguments are shown: its result is the easiest way for somebody who
never saw this machine to speak to a later session. It is told by the tool's name and what
it was asked, with a table that errs to the side of leaving results out: every tool of an MCP
server counts, as nothing says where its answers come from.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from oldhand.lazy_pattern import LazyPattern
from oldhand.sessions.known_tools import code_of, command_of, use_of
from oldhand.shell import parse

_PART = LazyPattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_OF_A_SERVER = ("mcp__", "mcp_", "mcp.", "mcp-", "mcp:")
_SPEAK_OF = frozenset(
    [
        "web",
        "website",
        "webpage",
        "browser",
        "browse",
        "http",
        "https",
        "url",
        "urls",
        "fetch",
        "crawl",
        "crawler",
        "scrape",
        "scraper",
        "download",
        "playwright",
        "puppeteer",
        "selenium",
        "chromium",
        "firecrawl",
        "tavily",
        "mail",
        "mails",
        "email",
        "emails",
        "gmail",
        "outlook",
        "inbox",
        "imap",
        "smtp",
        "newsletter",
        "slack",
        "discord",
        "telegram",
        "whatsapp",
        "signal",
        "sms",
        "teams",
        "irc",
        "matrix",
        "chat",
        "twitter",
        "tweet",
        "tweets",
        "reddit",
        "hackernews",
        "linkedin",
        "facebook",
        "instagram",
        "mastodon",
        "bluesky",
        "github",
        "gitlab",
        "bitbucket",
        "jira",
        "confluence",
        "notion",
        "linear",
        "asana",
        "trello",
        "zendesk",
        "intercom",
        "rss",
        "feed",
        "feeds",
        "youtube",
        "wikipedia",
        "arxiv",
        "news",
        "calendar",
    ]
)
_PROGRAMS = frozenset(
    [
        "curl",
        "wget",
        "http",
        "https",
        "httpie",
        "xh",
        "aria2c",
        "lynx",
        "w3m",
        "links",
        "elinks",
        "nc",
        "ncat",
        "netcat",
        "telnet",
        "gh",
        "glab",
        "hub",
        "tea",
        "jira",
        "slack-cli",
        "mail",
        "mailx",
        "mutt",
        "neomutt",
        "himalaya",
        "notmuch",
        "fetchmail",
        "mbsync",
        "getmail",
        "yt-dlp",
        "youtube-dl",
        "whois",
        "ddgr",
        "googler",
        "newsboat",
        "rsstail",
        "irssi",
        "weechat",
        "toot",
        "playwright",
        "puppeteer",
        "lighthouse",
    ]
)
_IN_TEXT = LazyPattern(r"(?<![\w./-])(?:curl|wget|gh|glab|https?://)")
_IN_CODE = LazyPattern(
    r"https?://|\b(?:requests|urllib|httpx|aiohttp|http\.client|imaplib|poplib|socket"
    r"|selenium|playwright|fetch)\b"
)
_ONLY_SPEAK = frozenset({"echo", "printf", "grep", "rg", "sed", "git"})
_MAX_CHARS = 20_000
_MAX_WORDS = 50


def is_tainted(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Say whether a call's result may be what a stranger wrote.

    Args:
        tool: The tool's name, of any agent.
        arguments: Of the call, any JSON values.

    Example:
        >>> is_tainted("mcp__notes__read", {}), is_tainted("WebFetch", {})
        (True, True)
        >>> is_tainted("Bash", {"command": "cd x && gh issue view 3"})
        True
        >>> is_tainted("Bash", {"command": "git log"})
        False
    """
    if use_of(tool) == "web" or tool.lower().startswith(_OF_A_SERVER):
        return True
    parts = [part.lower() for part in _PART.findall(tool)]
    if not _SPEAK_OF.isdisjoint((*parts, *map("".join, pairwise(parts)))):  # `GitHub`
        return True
    command = command_of(tool, arguments)
    if command is not None:
        return _asks_the_net(command)
    code = code_of(tool, arguments)
    if code is not None:
        return _IN_CODE.search(code[:_MAX_CHARS]) is not None
    return any(_is_address(value) for value in arguments.values())


def _asks_the_net(command: str) -> bool:
    line = parse(command[:_MAX_CHARS])
    if line is None:
        return _IN_TEXT.search(command) is not None
    return any(
        command.program in _PROGRAMS
        or any(_is_address(word) for word in command.words[:_MAX_WORDS])
        for command in line.commands
        if command.program not in _ONLY_SPEAK
    )


def _is_address(value: object) -> bool:
    return isinstance(value, str) and value.startswith(("http://", "https://"))
