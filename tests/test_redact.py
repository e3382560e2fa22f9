"""What is taken for a secret, what is not, and what a text looks like afterwards."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.redact import find_secrets, redact, redact_json

DASHES = "-" * 5
WORD = "a1B2c3D4e5"  # looks made by a machine, however often it is repeated
HEX = "9f8a7b6c5d4e3f2a"
KEY_LINES = "\n".join(["MIIEpAIBAAKCAQEA" + WORD * 4] * 3)


def block(label: str, lines: str = KEY_LINES) -> str:
    return f"{DASHES}BEGIN {label}{DASHES}\n{lines}\n{DASHES}END {label}{DASHES}"


PREFIXED = {
    "github-token": "ghp" + "_" + WORD * 4,
    "gitlab-token": "glpat" + "-" + WORD * 2,
    "aws-key-id": "AKIA" + "IOSFODNN7ABCDEF2",
    "google-api-key": "AIza" + WORD * 3 + "abcde",
    "google-oauth": "GOCSPX" + "-" + WORD * 3,
    "slack-token": "xox" + "b-1234567890-" + WORD * 2,
    "stripe-key": "sk" + "_live_" + WORD * 2,
    "anthropic-key": "sk" + "-ant-api03-" + WORD * 9,
    "openai-key": "sk" + "-" + WORD * 5,
    "huggingface-token": "hf" + "_" + WORD * 3,
    "npm-token": "npm" + "_" + WORD * 4,
    "pypi-token": "pypi" + "-" + WORD * 5,
    "sendgrid-key": "SG" + "." + WORD * 2 + "." + WORD * 4,
    "twilio-key": "SK" + HEX * 2,
    "mailgun-key": "key" + "-" + HEX * 2,
    "digitalocean-token": "dop" + "_v1_" + HEX * 4,
    "linear-key": "lin" + "_api_" + WORD * 4,
    "notion-token": "ntn" + "_" + WORD * 5,
    "vault-token": "hvs" + "." + WORD * 3,
    "databricks-token": "dapi" + HEX * 2,
    "shopify-token": "shpat" + "_" + HEX * 2,
    "doppler-token": "dp.pt" + "." + WORD * 5,
    "age-key": "AGE-SECRET-KEY" + "-1" + "QPZRY9X8GF" * 6,
    "discord-token": "MTA" + WORD * 2 + "." + "Gx1y2Z" + "." + WORD * 3,
    "telegram-token": "12345678:" + "AA" + WORD * 4,
    "jwt": "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxIn0." + WORD * 4,
    "password-hash": "$2b$12$" + "abcdefghij" * 5 + "abc",
}


@pytest.mark.parametrize(("kind", "secret"), PREFIXED.items())
def test_a_token_is_known_by_its_prefix_wherever_it_stands(
    kind: str, secret: str
) -> None:
    text = f"say ({secret}) twice\n{secret}"

    found = redact(text)

    assert secret[12:] not in found
    if kind != "telegram-token":  # the id of the bot before it is no secret
        assert found == f"say ([redacted:{kind}]) twice\n[redacted:{kind}]"


NAMED = [
    ("export DB_PASSWORD={}", "swordfish"),
    ("PGPASSWORD='{}' psql", "correct horse"),
    ("tool --password {} run", "hunter2"),
    ('["--api-token", "{}"]', WORD * 2),
    ("tool --db-password='{}'", "a'b"[:1] + "&=;x9"),
    ("password: {}", "S3cure!now"),
    ('{{"password": "{}"}}', "swordfish"),
    ("'api_key' => '{}',", HEX),
    ('apiKey := "{}"', HEX),
    ('token: str = "{}"', HEX),
    ("-e SECRET_KEY_BASE={}", HEX * 4),
    ("JWT_SECRET={}", "keep-this-quite-private"),
    ("aws_secret_access_key = {}", "wJalrXUtnFEMI/K7MDENG/" + WORD),
    ("aws configure set aws_secret_access_key {}", "/JalrXUtnFEMI/K7MDENG" + WORD),
    ("export CONN='AccountName=x;AccountKey={};y=z'", WORD * 8 + "=="),
    ("https://x.io/a?access_token={}&b=1", WORD * 2),
    ("npm config set //registry.npmjs.org/:_authToken {}", HEX * 2),
    ("X-Api-Key: {}", HEX * 2),
    ("- name: DB_PASSWORD\n  value: {}", "hunter22"),
    ("machine x.io login bob password {}", "abc$def1"),
    ("ALTER USER bob WITH PASSWORD '{}'", "abc$def1"),
    ("<password>{}</password>", "hunter22!"),
    ("Authorization: Bearer {}", HEX * 2),
    ("Authorization: Basic {}", "Ym9iOmh1bnRlcjI="),
    ("Authorization: token {}", HEX * 2),
    ("Cookie: session={}; theme=dark", HEX * 2),
    ("otpauth://totp/x?secret={}&issuer=y", "JBSWY3DPEHPK3PXP"),
    ("x.blob.core.windows.net/c?se=2026-01-01&sig={}", WORD * 4 + "%3D"),
]


@pytest.mark.parametrize(("line", "secret"), NAMED)
def test_a_name_before_a_value_makes_it_secret(line: str, secret: str) -> None:
    found = redact(line.format(secret))

    assert secret not in found
    assert "[redacted:" in found


BY_PLACE = [
    # a key beside its id, in tables and listings
    ("csv: AKIA" + "IOSFODNN7ABCDEF2,{}", "wJalrXUtnFEMI/K7MDENG/bPx" + WORD + "Zq8Rt"),
    ('"keyName": "key1",\n  "value": "{}"', (WORD * 9)[:86] + "=="),
    ('"primaryKey": "{}"', WORD * 4),
    ("PRIMARY_CONNECTION_KEY={}", WORD * 4),
    # hooks whose path is the secret
    ("curl https://hooks.zapier.com/hooks/catch/{}", "1234567/abcdefg"),
    ("curl https://chat.x.io/hooks/{} -d hi", HEX + WORD),
    ("curl https://maker.ifttt.com/trigger/a/with/key/{}", WORD * 2),
    # places in calls
    ('client.Client(auth=("rzp_id", "{}"))', WORD * 2),
    ('smtp.login("bob", "{}")', "hunter22"),
    ("jwt.sign({{ id: 1, b: 2 }}, '{}', {{ x: 1 }})", "keep-it-quite-7"),
    ("crypto.createHmac('sha256', '{}')", "keep-it-quite-7"),
    ('hmac.new(b"{}", body)', "keep-it-quite-7"),
    ("define('DB_PASSWORD', '{}');", "hunter22"),
    ('environ.setdefault("DB_PASSWORD", "{}")', "hunter22"),
    ("core.setSecret('{}');", WORD * 2),
    # answers to a question for a password
    ('expect -c \'expect "passphrase"; send "{}\\r"\'', "hunter22"),
    ("child.expect('assword:'); child.sendline('{}')", "swordfish"),
    # seeds of one-time codes
    ('pyotp.TOTP("{}").now()', "JBSWY3DPEHPK3PXP" * 2),
    ('"mfa_seed": "{}"', "JBSWY3DPEHPK3PXP"),
    # flags of programs
    ("ssh-keygen -t ed25519 -f k -N '{}'", "hunter22"),
    ("ssh-keygen -y -P {} -f k", "hunter22"),
    ("lftp -u bob,{} sftp://x.io", "hunter22"),
    ("mosquitto_pub -h x.io -u bob -P {} -t a", "hunter22"),
    ("cypher-shell -u neo4j -p {} 'RETURN 1'", "hunter22"),
    ("xfreerdp /v:10.0.0.1 /u:bob /p:{} /f", "hunter22"),
    ("wmic /user:bob /password:{} os get caption", "hunter22"),
    ("rabbitmqctl add_user bob {}", "hunter22"),
    ("rabbitmqctl change_password bob {}", "hunter22"),
    ("net user bob {} /add", "hunter22"),
    ("echo {} | docker secret create db -", "hunter22"),
    # settings by name
    ("pulumi config set --secret dbPassword {}", "hunter22"),
    ("git config sendemail.smtpPass {}", "hunter22"),
    ("aws ssm put-parameter --type SecureString --value {}", "hunter22"),
    ("az keyvault secret set --name db --value '{}'", "hunter22"),
    # what a CI shall hide
    ('echo "::add-mask::{}"', "hunter22"),
    ("##vso[task.setvariable variable=a;issecret=true]{}", "hunter22"),
    # signs that join the parts of a value
    ("SECRET_KEY={} DEBUG=0", "GDZ,mf8gUu1y;VW5q&Ea9x"),
    ("DB_PASSWORD={}", "Juniper487,cobalt"),
]

COMMANDS = [
    ("curl -u 'bob:{}' https://x.io", "hunter22"),
    ("curl -sSu bob:{} https://x.io", "hunter22"),
    ("curl \\\n  --user bob:{} \\\n https://x.io", "hunter22"),
    ("mysql -u root -p{} app", "hunter22"),
    ("sshpass -p {} ssh root@10.0.0.1", "hunter22"),
    ("docker login -u bob -p {} ghcr.io", "hunter22"),
    ("echo {} | docker login -u bob --password-stdin", "hunter22"),
    ("echo '{}' | sudo -S true", "swordfish"),
    ("sudo -S true <<< '{}'", "swordfish"),
    ("redis-cli -h db -a {} ping", "hunter22"),
    ("ldapsearch -x -w {} -b dc=x", "hunter22"),
    ("unzip -P {} a.zip", "hunter22"),
    ("htpasswd -bc .htpasswd bob {}", "hunter22"),
    ("openssl rsa -in k -passin pass:{}", "hunter22"),
    ("smbclient //h/s -U bob%{}", "hunter22"),
    ("vault login {}", "s." + WORD * 2),
    ("kubectl create secret generic x --from-literal=a={}", "swordfish"),
    ("psql postgres://bob:{}@db:5432/app", "p@ss:w0rd"),
    ("git clone https://{}@github.com/a/b", HEX * 2),
    ("curl https://hooks.slack.com/services/{}", "T0/B0/" + WORD * 2),
    ("curl https://discord.com/api/webhooks/{}", "123456789/" + WORD * 6),
    ("curl https://api.telegram.org/bot{}/getMe", "123456789:" + WORD * 3),
]


@pytest.mark.parametrize(("line", "secret"), BY_PLACE + COMMANDS)
def test_a_place_makes_a_value_secret_without_a_name(line: str, secret: str) -> None:
    assert secret not in redact(line.format(secret))


@pytest.mark.parametrize(("line", "secret"), NAMED + BY_PLACE + COMMANDS)
def test_json_text_loses_its_secrets_and_stays_json(line: str, secret: str) -> None:
    once = json.dumps({"command": line.format(secret)})
    twice = json.dumps({"arguments": once})

    shown = [
        json.loads(redact(once)),
        json.loads(json.loads(redact(twice))["arguments"]),
    ]

    assert secret not in shown[0]["command"]
    assert secret not in shown[1]["command"]
    assert shown[0]["command"].startswith(line[:4].replace("{{", "{"))


BENIGN = """
git commit -m "Fix token refresh in auth middleware"
TOKEN=$(gh auth token)
API_KEY=<your-api-key>
PASSWORD=${DB_PASSWORD} docker compose up
password = getpass.getpass("Password: ")
password: ********
def login(user: str, password: str) -> Token:
func NewToken(secret string, ttl time.Duration) (*Token, error) {
token, err := jwt.Parse(tokenString, keyFunc)
self.token = token
secret := os.Getenv("APP_SECRET")
apiKey: process.env.API_KEY,
token = os.environ["API_TOKEN"]
"max_tokens": 4096, "token_type": "bearer"
cache_key = f"{user_id}:{page}"
CACHE_KEY_VERSION=deps-v3
github.com/spf13/cobra v1.8.0 h1:7aJaZx1B85qltLMc546zn58BxxfZdR/W22ej9CFoEf0=
docker pull alpine@sha256:c5b1261d6d3e43071626931fc004f70149baeba2c8ec672bd4f27761f8e1ad6b
commit 8d3f2a1b9c4e5d6f7a8b9c0d1e2f3a4b5c6d7e8f
session_id: 550e8400-e29b-41d4-a716-446655440000
1767225600250000 at 10.0.0.17, call +1 (555) 123-4567
order 4111111111111112 and 0.4111111111111111
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk3X1Q9Z7n8V4oQ5v1u2w3x4y5z6A7B8C9D0E1F2G3 me
ssh deploy@web1.example.com uptime
rsync -avz ./dist/ user@host.example.org:/var/www
git clone git@github.com:acme/repo.git
go install golang.org/x/tools/gopls@latest && npm i @types/node@20.1.0
Co-Authored-By: Someone <noreply@example.com>
see icon@2x.png
curl -u "$USER:$TOKEN" -H "Authorization: Bearer $TOKEN" https://x.io
docker run -p 8080:80 -u 1000:1000 nginx
mysql -u root -p app < dump.sql
psql -h localhost -p 5432 -U postgres
docker login -u bob --password-stdin ghcr.io
postgres://user:password@localhost:5432/db
--- PASS: TestLogin/valid_token_v2 (0.01s)
SyntaxError: Unexpected token '<', "<!DOCTYPE "... is not valid JSON
usage: tool [--token TOKEN] [--password PASSWORD] [--api-key KEY]
Basic authentication is off, Bearer tokens expire, the password is required
  --key ./certs/server.key --password-file /etc/app/pw.txt
grep -rn -e '-----BEGIN RSA PRIVATE KEY-----' src
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-9L0x8i
sudo -u bob mkdir -p build2/x_2
docker run -u app1 -p 127.0.0.1:8080:80/tcp nginx
ssh-keygen -t ed25519 -N "" -f k
msbuild a.sln /u:x /p:Configuration=Release2
jwt.decode(token, "RS256") and client.authenticate("bob", "HS256")
https://github.com/a/b-hooks/commit/8d3f2a1b9c4e5d6f7a8b9c0d1e2f3a4b5c6d7e8f
import { use2Fa } from '@/hooks/use2FaCode'
password: what to send as authorization
cannot set 'configs'; pass configs= instead
ftp.login("anonymous", "-anonymous@")
child.expect("Password: "); child.sendline(password)
PASSWORD=$(cat pw),x;make
"key": "a", "value": "8d3f2a1b9c4e5d6f7a8b9c0d1e2f3a4b5c6d7e8f"
hf_hub_download sk-learn re_compile_internal_with_flags task-runner-for-builds
""".strip().splitlines()


@pytest.mark.parametrize("line", BENIGN)
def test_what_is_no_secret_stays(line: str) -> None:
    assert redact(line) == line


def test_a_private_key_goes_to_its_end() -> None:
    text = f"cat k\n{block('RSA PRIVATE KEY')}\nok"

    assert redact(text) == "cat k\n[redacted:private-key]\nok"


def test_a_private_key_that_was_cut_goes_as_far_as_its_lines() -> None:
    text = block("OPENSSH PRIVATE KEY").partition(f"\n{DASHES}END")[0]

    assert redact(f"{text}\nthen ran the tests") == (
        "[redacted:private-key]\nthen ran the tests"
    )


def test_a_private_key_in_a_numbered_listing_goes_whole() -> None:
    lines = block("PRIVATE KEY").splitlines()
    text = "\n".join(f"{n:6}\u2192{line}" for n, line in enumerate(lines, start=1))

    assert "MIIE" not in redact(text)


@pytest.mark.parametrize("start", ["{:4}  ", "{:4} \u2502 ", "-", "k.pem:{}:"])
def test_a_cut_private_key_goes_whatever_begins_its_lines(start: str) -> None:
    lines = block("PRIVATE KEY").splitlines()[:-1]
    text = "\n".join(start.format(n) + line for n, line in enumerate(lines, start=1))

    assert "MIIE" not in redact(text)


def test_a_value_ends_where_the_next_one_or_a_command_begins() -> None:
    text = "Server=x;Password=hunter22;Initial Catalog=y\nTOKEN=a1b2c3d4e5;make all"

    assert redact(text) == (
        "Server=x;Password=[redacted:password];Initial Catalog=y\n"
        "TOKEN=[redacted:token];make all"
    )


def test_a_certificate_and_a_public_key_stay() -> None:
    text = block("CERTIFICATE") + block("PUBLIC KEY")

    assert redact(text) == text


@pytest.mark.parametrize(
    "number", ["4242424242424242", "5555 5555 5555 4444", "3782-822463-10005"]
)
def test_a_card_goes_in_any_grouping(number: str) -> None:
    assert redact(f"card={number}\\nnext") == "card=[redacted:card]\\nnext"


def test_an_address_of_a_person_goes_whole() -> None:
    text = 'From: "Ada" <ada.l+x@mail.example.co.uk>, to=bob%40acme.io&x'

    assert redact(text) == 'From: "Ada" <[redacted:email]>, to=[redacted:email]&x'


def test_the_more_telling_name_wins_where_two_rules_agree() -> None:
    secret = PREFIXED["github-token"]

    assert redact(f"password={secret}") == "password=[redacted:github-token]"


def test_secrets_come_in_order_and_say_where_they_stand() -> None:
    text = "mail bob@acme.io, PASSWORD=hunter2"

    found = find_secrets(text)

    assert [(s.rule, text[s.start : s.end]) for s in found] == [
        ("email", "bob@acme.io"),
        ("password", "hunter2"),
    ]


PIECES = st.sampled_from(
    [
        *PREFIXED.values(),
        *"=:\"'\\\n@/,.-[]{}<>&|$ \ud800\0\u00e9\u0130",
        *["%3D", "\\n", '\\"', "\\u003d"],
        *["password", "token", "key", "curl -u ", "echo ", "| sudo -S", "Cookie: a="],
        *["4111 1111 1111 1111", "4242424242424242", "bob", "acme.io", "value"],
        *["[redacted:token]", "[redacted:", block("RSA PRIVATE KEY"), KEY_LINES, "://"],
        f"{DASHES}BEGIN RSA PRIVATE KEY{DASHES}",
        WORD,
        "hunter2",
        " ",
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join))


@given(TEXTS)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)

    assert redact(once) == once


@given(TEXTS)
def test_no_secret_overlaps_another_or_ends_outside(text: str) -> None:
    found = find_secrets(text)

    assert all(0 <= s.start < s.end <= len(text) for s in found)
    assert all(left.end <= right.start for left, right in pairwise(found))


@given(TEXTS)
def test_json_text_of_anything_stays_json(text: str) -> None:
    shown = json.loads(redact(json.dumps({"a": text})))

    assert isinstance(shown, dict)


@pytest.mark.parametrize(
    "piece",
    [
        *[
            "a",
            "=",
            f"{DASHES}BEGIN ",
            "\\",
            "4111",
            "@",
            "a@b.",
            "token=",
            'token="',
            "key",
        ],
        *[
            f"{DASHES}BEGIN RSA PRIVATE KEY{DASHES}",
            "ey" + "J.",
            " -p",
            "://a:",
            "\u2192",
        ],
    ],
)
def test_a_megabyte_of_the_same_takes_no_more_than_seconds(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    start = time.process_time()

    redact(text)

    assert time.process_time() - start < 10


def test_keys_say_what_their_values_are() -> None:
    value = {
        "user": "bob",
        "db_password": "plain",
        "pwd": 1234,
        "accessToken": "only-words-here",
        "notes": ["PASSWORD=hunter2", None],
        "headers": {"Authorization": "custom words 1", "Accept": "*/*"},
        "token": "EOF",
        "max_tokens": 4096,
        "secret": True,
        "apiKey": "$API_KEY",
    }

    shown = redact_json(value)

    assert shown == {
        "user": "bob",
        "db_password": "[redacted:password]",
        "pwd": "[redacted:password]",
        "accessToken": "[redacted:token]",
        "notes": ["PASSWORD=[redacted:password]", None],
        "headers": {"Authorization": "[redacted:authorization]", "Accept": "*/*"},
        "token": "EOF",
        "max_tokens": 4096,
        "secret": True,
        "apiKey": "$API_KEY",
    }


def test_a_list_under_a_telling_key_goes_item_by_item() -> None:
    assert redact_json({"password": ["plain", ["words"]]}) == {
        "password": ["[redacted:password]", ["[redacted:password]"]]
    }


def test_addresses_that_are_keys_go_and_no_member_is_lost() -> None:
    assert redact_json({"a@acme.io": 1, "b@acme.io": 2}) == {
        "[redacted:email]": 1,
        "[redacted:email]+": 2,
    }


def test_nesting_without_end_is_cut() -> None:
    value: Any = "bob@acme.io"
    for _ in range(50_000):
        value = [value]

    shown = redact_json(value)

    depth = 0
    while isinstance(shown, list):
        shown, depth = shown[0], depth + 1
    assert (shown, depth) == (None, 101)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["password", "a", "token"]) | TEXTS, inner)
    ),
    max_leaves=8,
)


@given(JSON)
def test_redacting_json_twice_changes_nothing_more(value: Any) -> None:
    once = redact_json(value)

    assert repr(redact_json(once)) == repr(once)


def test_real_results_raise_fewer_than_one_alarm_in_a_thousand_lines(
    real_sessions: Path,
) -> None:
    lines = alarms = 0
    for path in sorted((real_sessions / "claude_code").glob("*/*.jsonl"))[::8]:
        text = path.read_text(encoding="utf-8")
        lines += text.count("\\n")
        alarms += sum(secret.rule != "email" for secret in find_secrets(text))

    assert lines > 10_000
    assert alarms * 1000 < lines


@pytest.mark.parametrize("before", ["model-", "mcp__", "a.b.", "my_tool_"])
def test_a_token_that_words_are_joined_to_is_found(before: str) -> None:
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"

    assert token not in redact(f"{before}{token}")
