r"""A thousand lines that hold no secret and look as if they did.

Written, like the secrets beside them, by someone who had seen no rule: 125 lines, each
drawn eight times with other names and numbers.
"""

from __future__ import annotations

from random import Random

from bench.strangers_draw import fill

DRAWS = 8
LINES = r"""
commit {hex:40} (HEAD -> {word}, origin/{word})
{hex:7} Rotate the {word} token before it expires (#{n:4})
index {hex:7}..{hex:7} 100644
 * [new branch]      {word}-{hex:8} -> origin/{word}-{hex:8}
Updating {hex:9}..{hex:9}⏎Fast-forward
git cherry-pick {hex:40} && git push origin HEAD
uses: actions/checkout@{hex:40}  # v{n:1}.{n:1}.{n:1}
      resolved "https://registry.example.com/{word}-auth/-/{word}-auth-{ver}.tgz#{hex:40}"
      "integrity": "sha512-{b64:86}=="
  integrity sha512-{b64:86}==
checksum = "{hex:64}"
    {file = "{word}_token-{ver}-py3-none-any.whl", hash = "sha256:{hex:64}"},
github.com/{word}/{word} v{ver} h1:{b64:43}=
{word}=={ver} --hash=sha256:{hex:64}
<script src="https://cdn.example.com/{word}.min.js" integrity="sha384-{b64:64}" crossorigin="anonymous"></script>
registry.example.com/{word}/{word}@sha256:{hex:64}
Digest: sha256:{hex:64}⏎Status: Downloaded newer image for {word}:{ver}
{hex:12}   {word}:latest   "docker-entrypoint.s…"   {n:1} hours ago   Up {n:1} hours   0.0.0.0:{n:4}->{n:4}/tcp
 => CACHED [{n:1}/{n:2}] COPY --from=builder /{word}/{word} /srv   sha256:{hex:32}
{hex:64}  dist/{word}-{ver}.tar.gz
{hex:32}  {word}.iso
ETag: "{hex:32}"
x-request-id: {uuid}
x-amz-request-id: {up:16}
traceparent: 00-{hex:32}-{hex:16}-01
{"level":"info","trace_id":"{hex:32}","span_id":"{hex:16}","msg":"token refreshed for {word}"}
session_id={uuid} user={word} event=password_reset_requested
{"id":"{uuid}","object":"session","status":"ready","user_id":{n:6}}
{"type":"message","id":"msg_01{b62:22}","role":"assistant","content":[{"type":"text","text":"The token is read from the keyring."}]}
{"tool_use_id":"toolu_01{b62:22}","type":"tool_result","is_error":false}
"usage":{"input_tokens":{n:5},"cache_read_input_tokens":{n:6},"output_tokens":{n:4}}
max_tokens={n:4}, temperature=0.{n:1}, stop_token_ids=[{n:5}]
tokens per second: {n:3}.{n:2}  total tokens: {n:6}  token budget: {n:6}
pod/{word}-{hex:10}-{low:5}   1/1   Running   0   {n:2}m
arn:aws:secretsmanager:eu-west-1:{dig:12}:secret:prod/{word}/db-{b62:6}
arn:aws:kms:eu-west-1:{dig:12}:key/{uuid}
aws secretsmanager get-secret-value --secret-id prod/{word}/password --query SecretString
vault kv get -field=password secret/{word}/db
op read "op://{Word}/{word}-db/password"
gh secret list⏎{WORD}_DEPLOY_KEY  Updated {day}⏎NPM_TOKEN  Updated {day}
secret/{word}-credentials configured
{word}-tls   kubernetes.io/tls   3   {n:3}d⏎default-token-{low:5}   kubernetes.io/service-account-token   3   {n:3}d
          valueFrom: { secretKeyRef: { name: {word}-db, key: password } }
  secretName: {word}-tls-cert
  imagePullSecrets:⏎  - name: {word}-regcred
serviceAccountName: {word}-token-reader
password: ${{WORD}_DB_PASSWORD}
password: "${{word}_PASSWORD:-}"
  password: {{ .Values.{word}.password | quote }}
DATABASE_URL=postgres://{word}:${DB_PASSWORD}@db:5432/{word}
          {WORD}_TOKEN: ${{ secrets.{WORD}_TOKEN }}
export {WORD}_TOKEN="$(pass show {word}/token)"
{WORD}_API_KEY=YOUR_API_KEY
{WORD}_SECRET=<your-{word}-secret>
{WORD}_PASSWORD=
API_KEY_{WORD}="xxxxxxxxxxxxxxxxxxxx"
    api_key: "<{WORD}_API_KEY>"
curl -u "${WORD}_USER:${WORD}_PASS" https://nexus.example.com/{word}
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/{word}/{n:5}
curl -H 'X-Api-Key: {{{word}_api_key}}' https://api.example.com/{word}
docker login -u {word} --password-stdin registry.example.com < ~/.{word}_token
mysql -h db -u root -p"$MYSQL_ROOT_PASSWORD" {word}
mysql -u {word} -p {word} < schema_{n:2}.sql
sshpass -e ssh {word}@10.0.0.{n:2}
mkdir -p src/{word}/password_reset && touch src/{word}/password_reset/__init__.py
docker run --rm -p {n:4}:80 -v /var/run/docker.sock:/var/run/docker.sock {word}:{ver}
ssh -p 2222 {word}@{word}.example.com -i ~/.ssh/id_{word}_ed25519
scp -P 2222 build/{word}-{ver}.jar {word}@10.0.{n:1}.{n:2}:/opt/{word}/
openssl req -new -x509 -key server.key -passin env:{WORD}_PASS -out {word}.pem
openssl rand -hex 32 > /run/secrets/{word}_key
  -p, --password=name   Password to use when connecting to {word}.
usage: {word} [-h] [--token TOKEN] [--password PASSWORD] [--api-key API_KEY] {word}
token = get_{word}_token()
    {word}_token = await self.{word}_client.get_token(user_id={n:4})
const apiKey = process.env.{WORD}_API_KEY;
password = getpass.getpass("Password for {word}: ")
    def __init__(self, token: str, password: str | None = None, {word}: int = {n:2}) -> None:
        self.{word}_token = {word}_token
  {word}Token?: string; password: string; apiKey: string | undefined;
headers = {"Authorization": f"Bearer {{word}_token}"}
    if not check_password({word}.password, user.password_{word}):
assert response.json()["{word}_token"] is not None
token, err := {word}.NewToken(ctx, secretKey)
secret := os.Getenv("{WORD}_SECRET")
String password = request.getParameter("{word}_password");
$password = $_POST['{word}_password'] ?? '';
re.compile(r"\b(ghp|gho|ghs)_[A-Za-z0-9]{36}\b|{word}_[a-f0-9]{40}")
for key, value in sorted({word}.items(), key=lambda pair: pair[1]):
    primary_key=True, foreign_key="{word}.{word}_id", sort_key="{word}_at"
PASSWORD_MIN_LENGTH = {n:2}  # {word}
{WORD}_TOKEN_URL=https://auth.example.com/oauth2/{word}/token
{WORD}_TOKEN_EXPIRE_MINUTES={n:3}
password_hash VARCHAR({n:3}) NOT NULL,  -- {word}
SELECT id, password_hash, api_key_id FROM {word}_users WHERE token_expires_at < now() LIMIT {n:2};
test_{word}_password_is_hashed_with_a_salt_and_never_logged PASSED [ {n:2}%]
tests/auth/test_{word}_token.py::TestTokenRefresh::test_secret_rotation_{word}[bearer-{n:3}] PASSED
FAIL src/{word}/passwordReset.test.ts > rejects an expired token for {word}
src/{word}/token_store.py:{n:3}: error: Argument "token" to "verify" has incompatible type "str | None"; expected "str"
SyntaxError: Unexpected token '<', "<!doctype {word}"... is not valid JSON at line {n:3}
fatal: Authentication failed for 'https://git.example.com/{word}/{word}.git/'
{"error":"invalid_token","error_description":"The access token of {word} expired at {day}T{hour}Z"}
{"password":["This field is required."],"token":null,"{word}":{n:3}}
Enter passphrase for key '/home/{word}/.ssh/id_ed25519':
[sudo] password for {word}: ⏎Sorry, try again.
SHA256:{b64:43} {word}@{word} (ED25519)
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b64:43} {word}@{word}
{word}.example.com ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{b64:150}
{five}BEGIN PUBLIC KEY{five}⏎MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{b64:32}⏎{pem:2}⏎{five}END PUBLIC KEY{five}
{five}BEGIN CERTIFICATE{five}⏎MIID{b64:60}⏎{pem:2}⏎{b64:30}==⏎{five}END CERTIFICATE{five}
gpg: using RSA key {HEX:40}⏎gpg: Good signature from "{Word} Releases"
Primary key fingerprint: {HEX:4} {HEX:4} {HEX:4} {HEX:4} {HEX:4}  {HEX:4} {HEX:4} {HEX:4} {HEX:4} {HEX:4}
age1{low:58}  # {word}, public
<img alt="{word}" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAA{b64:160}=">
//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb{b64:120}
!function(e,t){"use strict";var n=t({n:3}),r=e.token||n.key,o=function(){return r.{word}(e.password)};e.exports={auth:o,k:"{word}"}}(this,{n:4});
.{word}_{b62:5}__token{margin:0}.{word}_{b62:5}__key:hover{color:#{hex:6}}
dist/assets/{word}-{url:8}.js    {n:3}.{n:2} kB │ gzip: {n:2}.{n:2} kB
/home/{word}/.cache/{word}/store/v3/files/{hex:2}/{hex:62}/node_modules/{word}-secret/index.js
Cache restored from key: node-modules-Linux-{hex:64}
root:x:0:0:root:/root:/bin/bash⏎{word}:x:10{dig:2}:10{dig:2}::/home/{word}:/bin/bash
pip install "git+https://github.com/{word}/{word}.git@{hex:40}"
postgresql://{word}@localhost:5432/{word}?sslmode=disable
mongodb://localhost:27017/{word}?authSource=admin
WWW-Authenticate: Bearer realm="https://auth.example.com/token",service="{word}",scope="repository:{word}:pull"
https://registry.example.com/@{word}/{word}/-/{word}-{ver}.tgz
"""


def benign() -> list[str]:
    """Return the thousand lines, the same ones each time."""
    rows, made = LINES.strip("\n").splitlines(), dict[str, None]()
    for row in rows:
        draw, wanted = Random(row), len(made) + DRAWS
        while len(made) < wanted:
            made[fill(row, draw)] = None
    return list(made)
