"""How many secrets are found, what is taken for one, and how fast.

    python -m bench.redaction

The secrets are made up at run time: kinds, each in the command lines where people type
that kind, in plain text and as it stands in the JSON of a tool call. Whoever wrote them
has read the rules, so the table shows what breaks, not what strangers will send. A secret
is found when no eight characters of it in a row are left over. `bench.strangers_found`
measures secrets by someone who had not read them. Real results, where they
are at hand, show false alarms: the program counts hits by rule and prints no text.
"""

from __future__ import annotations

import base64
import json
import random
import string
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from bench.labelled_calls import claude_code_calls
from bench.real_sessions import CLAUDE_CODE
from bench.strangers_found import is_gone, print_strangers
from oldhand.redact import find_secrets, redact

SEED = 20260301
PER_LINE = 5
_ROUNDS = 3
_WORD = string.ascii_letters + string.digits
_NAME = _WORD + "-_"
_HEX = "0123456789abcdef"
_UPPER = string.ascii_uppercase + "234567"

Draw = random.Random
Maker = Callable[[Draw], str]


class Kind(NamedTuple):
    """One kind of secret, and the lines in which it is typed."""

    name: str
    make: Maker
    lines: tuple[str, ...]


def _chars(count: int, alphabet: str = _WORD, *, prefix: str = "") -> Maker:
    return lambda draw: prefix + "".join(draw.choices(alphabet, k=count))


def _env(name: str) -> tuple[str, ...]:
    return (
        f"export {name}={{}}",
        f"{name}='{{}}' make release",
        f"docker run --rm -e {name}={{}} app:latest",
        f'echo "{name}={{}}" >> .env',
    )


def _base64(count: int) -> Maker:
    return lambda draw: base64.b64encode(draw.randbytes(count)).decode()


def _uuid(draw: Draw) -> str:
    return str(uuid.UUID(int=draw.getrandbits(128)))


def _password(draw: Draw) -> str:
    """Make one as people do: a word with digits and a sign, or what a manager gives."""
    word = draw.choice(["hunter", "Summer", "dragon", "S3cure", "letmein", "P@ss"])
    tail = draw.choice(["2", "42!", "#7x", "_2025", "&99"])
    made = "".join(draw.choices(_WORD + "!#%*+=?@^_-", k=14))
    return draw.choice([word + tail, made])


def _jwt(draw: Draw) -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": _uuid(draw), "iat": 1760000000})
    texts = [base64.urlsafe_b64encode(json.dumps(part).encode()) for part in parts]
    signed = [text.decode().rstrip("=") for text in texts]
    return ".".join([*signed, _chars(43, _NAME)(draw)])


def _pair(draw: Draw) -> str:
    return base64.b64encode(f"bob:{_chars(12)(draw)}".encode()).decode()


def _pem(label: str) -> Maker:
    def make(draw: Draw) -> str:
        lines = [base64.b64encode(draw.randbytes(48)).decode() for _ in range(5)]
        dashes = "-" * 5
        head, end = (f"{dashes}{word} {label}{dashes}" for word in ("BEGIN", "END"))
        return "\n".join([head, *lines, end])

    return make


def _card(draw: Draw) -> str:
    digits = [4, *(draw.randrange(10) for _ in range(14))]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[::2])
    digits.append(-(doubled + sum(digits[1::2])) % 10)
    number = "".join(map(str, digits))
    groups = [number[at : at + 4] for at in range(0, 16, 4)]
    return draw.choice(["", " ", "-"]).join(groups)


def _address(draw: Draw) -> str:
    return f"{_chars(9, string.ascii_lowercase)(draw)}@{draw.choice(['acme.io', 'mail.co.uk'])}"


_BEARER = (
    "curl -H 'Authorization: Bearer {}' https://api.acme.io/v1/me",
    'curl -sS -H "Authorization: Bearer {}" https://api.acme.io/v1/jobs | jq .',
)
KINDS = (
    Kind("github", _chars(36, prefix="ghp" + "_"), _env("GITHUB_TOKEN")),
    Kind(
        "github in a remote",
        _chars(36, prefix="gho" + "_"),
        ("git clone https://{}@github.com/a/b.git", "gh auth login --with-token <<< {}"),
    ),
    Kind("gitlab", _chars(20, _NAME, prefix="glpat" + "-"), _env("CI_JOB_TOKEN")),
    Kind("aws key id", _chars(16, _UPPER, prefix="AK" + "IA"), _env("AWS_ACCESS_KEY_ID")),
    Kind(
        "aws secret",
        _chars(40, _WORD + "/+"),
        (*_env("AWS_SECRET_ACCESS_KEY"), "aws configure set aws_secret_access_key {}"),
    ),
    Kind("google", _chars(35, _NAME, prefix="AI" + "za"), ("curl 'https://m.io/x?key={}'",)),
    Kind("slack", _chars(36, prefix="xox" + "b-"), _env("SLACK_BOT_TOKEN")),
    Kind(
        "slack webhook",
        lambda draw: f"T{_chars(8)(draw)}/B{_chars(8)(draw)}/{_chars(24)(draw)}",
        ("curl -d '[]' https://hooks.slack.com/services/{}",),
    ),
    Kind(
        "discord webhook",
        lambda draw: f"{draw.randrange(10**17, 10**18)}/{_chars(68, _NAME)(draw)}",
        ("curl -d content=hi https://discord.com/api/webhooks/{}",),
    ),
    Kind(
        "telegram",
        lambda draw: f"{draw.randrange(10**9, 10**10)}:AA{_chars(33, _NAME)(draw)}",
        ("curl https://api.telegram.org/bot{}/getMe", *_env("TELEGRAM_BOT_TOKEN")),
    ),
    Kind("stripe", _chars(24, prefix="sk" + "_live_"), _env("STRIPE_SECRET_KEY")),
    Kind("openai", _chars(48, prefix="sk" + "-"), (*_env("OPENAI_API_KEY"), *_BEARER)),
    Kind(
        "anthropic",
        _chars(93, _NAME, prefix="sk" + "-ant-api03-"),
        ("curl -H 'x-api-key: {}' https://api.anthropic.com/v1/messages",),
    ),
    Kind("hugging face", _chars(34, prefix="hf" + "_"), ("huggingface-cli login --token {}",)),
    Kind("npm", _chars(36, prefix="npm" + "_"), ("npm config set //r.io/:_authToken {}",)),
    Kind("pypi", _chars(120, _NAME, prefix="pypi" + "-"), ("twine upload -p {} dist/*",)),
    Kind("twilio", _chars(32, _HEX), (*_env("TWILIO_AUTH_TOKEN"), "curl -u AC1:{} https://t.io")),
    Kind(
        "sendgrid",
        lambda draw: f"SG.{_chars(22, _NAME)(draw)}.{_chars(43, _NAME)(draw)}",
        (*_env("SENDGRID_API_KEY"), *_BEARER),
    ),
    Kind("mailgun", _chars(32, _HEX, prefix="key" + "-"), ("curl --user 'api:{}' https://m.net",)),
    Kind("digitalocean", _chars(64, _HEX, prefix="dop" + "_v1_"), ("doctl auth init -t {}",)),
    Kind("heroku", _uuid, _env("HEROKU_API_KEY")),
    Kind(
        "azure storage",
        _base64(64),
        (
            "az storage blob list --account-key '{}'",
            'export CONN="AccountName=x;AccountKey={};EndpointSuffix=core.windows.net"',
        ),
    ),
    Kind("datadog", _chars(32, _HEX), ("curl -H 'DD-API-KEY: {}' https://d.com", *_env("DD_API_KEY"))),
    Kind("cloudflare", _chars(40, _NAME), (*_env("CLOUDFLARE_API_TOKEN"), *_BEARER)),
    Kind("sentry", _chars(32, _HEX), ("export SENTRY_DSN=https://{}@o12.ingest.sentry.io/45",)),
    Kind("vault", _chars(24, prefix="hv" + "s."), (*_env("VAULT_TOKEN"), "vault login {}")),
    Kind("vercel", _chars(24), (*_env("VERCEL_TOKEN"), "vercel deploy --token {}")),
    Kind("age", _chars(58, _UPPER, prefix="AGE-SECRET" + "-KEY-1"), ("echo {} > key.txt",)),
    Kind("jwt", _jwt, (*_BEARER, "curl 'https://a.io/x?jwt={}'")),
    Kind("basic", _pair, ("curl -H 'Authorization: Basic {}' https://a.io",)),
    Kind(
        "database url",
        _password,
        (
            "psql postgres://app:{}@db:5432/prod",
            "DATABASE_URL='mysql://app:{}@10.0.0.3/prod' make migrate",
            "redis-cli -u redis://:{}@cache:6379/0 ping",
        ),
    ),
    Kind("mysql", _password, ("mysql -u root -p'{}' app", 'mysqldump -uroot -p"{}" app > d.sql')),
    Kind("postgres", _password, ("PGPASSWORD='{}' psql -h db -U app", *_env("DB_PASSWORD"))),
    Kind("ssh", _password, ("sshpass -p '{}' ssh root@10.0.0.5 uptime",)),
    Kind("curl", _password, ("curl -u 'bob:{}' https://a.io", "curl -sS --user 'bob:{}' https://a.io")),
    Kind("registry", _password, ("docker login -u bob -p '{}' ghcr.io", "echo '{}' | docker login -u bob --password-stdin")),
    Kind("sudo", _password, ("echo '{}' | sudo -S apt update", "echo 'bob:{}' | sudo chpasswd")),
    Kind("flag", _password, ("tool --password '{}' run", "tool --db-password='{}' run", "gpg --batch --passphrase '{}' -d f")),
    Kind("json body", _password, ("""curl -d '{{"user":"bob","password":"{}"}}' https://a.io""",)),
    Kind("sql", _password, ("psql -c \"ALTER USER bob WITH PASSWORD '{}'\"",)),
    Kind("archive", _password, ("zip -r -P '{}' out.zip dir", "openssl rsa -in k -passin pass:'{}'")),
    Kind("cookie", _chars(32), ("curl -b 'sessionid={}' https://a.io", "curl -H 'Cookie: sid={}; theme=dark' https://a.io")),
    Kind("private key", _pem("RSA PRIVATE KEY"), ("cat > k.pem <<EOF\n{}\nEOF",)),
    Kind("ssh key", _pem("OPENSSH PRIVATE KEY"), ('echo "{}" > ~/.ssh/id',)),
    Kind("card", _card, ("curl -d 'card={}' https://pay.io", "echo {}")),
    Kind("address", _address, ("git config user.email {}", "curl 'https://a.io/?to={}&x=1'")),
)  # fmt: skip


def main() -> None:
    """Print what was found, what was taken for a secret, and how fast."""
    print_found(random.Random(SEED))
    print_strangers()
    texts = list(real_texts()) or made_texts(random.Random(SEED))
    print_alarms(texts)
    print_speed(texts)


def print_found(draw: Draw) -> None:
    """Print how many made-up secrets of each kind were found."""
    found, all_of, names = 0, 0, []
    for kind in KINDS:
        results = list(_results(kind, draw))
        found += sum(results)
        all_of += len(results)
        if not all(results):
            names.append(f"  {kind.name:20} {sum(results)} of {len(results)}")
    print(
        f"made-up secrets of {len(KINDS)} kinds: {found} of {all_of} found",
        *names,
        sep="\n",
    )


def _results(kind: Kind, draw: Draw) -> Iterator[bool]:
    for line in kind.lines:
        for _ in range(PER_LINE):
            secret = kind.make(draw)
            command = line.format(secret)
            yield is_gone(secret, redact(command))
            yield is_gone(
                json.dumps(secret)[1:-1], redact(json.dumps({"command": command}))
            )


def real_texts() -> Iterator[str]:
    """Yield the arguments and results of real calls, or nothing where there are none."""
    if CLAUDE_CODE.exists():
        for call in claude_code_calls():
            yield json.dumps(call.arguments, ensure_ascii=False)
            yield call.result or ""


def made_texts(draw: Draw) -> list[str]:
    """Make listings and code of no particular content, with a secret word now and then."""
    lines = ("\tif token == nil {", "\t\treturn err", "ok  \tio/auth\t0.41s", "}")
    return ["\n".join(draw.choices(lines, k=50)) for _ in range(2_000)]


def print_alarms(texts: list[str]) -> None:
    """Print how often each rule found something where nobody put a secret on purpose."""
    lines = sum(text.count("\n") + text.count("\\n") + 1 for text in texts)
    hits = Counter(secret.rule for text in texts for secret in find_secrets(text))
    print(f"\nhits in {lines} lines of {len(texts)} arguments and results:")
    for rule, count in hits.most_common():
        print(f"  {rule:20} {count:6}   {1000 * count / lines:.3f} per 1,000 lines")


def print_speed(texts: list[str]) -> None:
    """Print the rate, and how many passes of `str.count` take as long."""
    megabytes = sum(map(len, texts)) / 1e6
    counting = _seconds(lambda: sum(text.count("\n") for text in texts))
    finding = _seconds(lambda: sum(len(redact(text)) for text in texts))
    ratio = finding / counting
    print(
        f"\n{megabytes:.1f} MB at {megabytes / finding:.1f} MB/s, {ratio:.0f} passes of str.count"
    )


def _seconds(run: Callable[[], object]) -> float:
    """Take the best of a few runs: others use the machine too."""
    times = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    main()
