"""Sixty more secrets, of the kinds that were missed first, as other programs write them.

Written after the rules were read and mended, and measured once before any further change:
whether a rule learnt the kind, or only the lines. The lines without secrets tempt the
rules that were new then.
"""

from __future__ import annotations

from random import Random

from bench.strangers_draw import fill
from bench.strangers_secrets import Planted, planted

_DRAWS = 8
KINDS = r"""
# key pairs in tables
{up:6},AKIA{up:16},«{b64:40}»
AKIA{up:16} | «{b64:40}» | Active
access key: AKIA{up:16} / secret: «{b64:40}»
        "SecondaryKey": "«{b64:86}==»",
# keys of cloud accounts
key1  FULL  «{b64:86}==»
    "keyName": "key2",⏎    "permissions": "FULL",⏎    "value": "«{b64:86}==»"
"secondarySharedKey" : "«{b64:43}=»"
primary_connection_key = "«{b64:43}=»"
# webhooks of other services
curl -X POST https://hook.eu1.make.com/«{low:32}» -d @body.json
curl https://mattermost.example.com/hooks/«{low:26}» -d 'payload={"text":"hi"}'
https://maker.ifttt.com/trigger/{word}/with/key/«{url:22}»
N8N_URL=https://n8n.example.com/webhook/«{uuid}»
# pairs in calls
requests.get(url, auth=HTTPBasicAuth('{word}', '«{pw}»'))
smtp.login("{word}@example.com", "«{pw}»")
req.SetBasicAuth("{word}", "«{pw}»")
es = Elasticsearch(hosts, basic_auth=("elastic", "«{b62:24}»"))
# key blocks in listings
   1   │ {five}BEGIN RSA PRIVATE KEY{five}⏎   2   │ «MIIE{b64:60}⏎   3   │ {b64:64}⏎   4   │ {b64:64}»
-{five}BEGIN EC PRIVATE KEY{five}⏎-«MHcCAQEE{b64:56}⏎-{b64:64}⏎-{b64:32}==»⏎-{five}END EC PRIVATE KEY{five}
deploy.pem:1:{five}BEGIN PRIVATE KEY{five}⏎deploy.pem:2:«MIIE{b64:60}⏎deploy.pem:3:{b64:64}»
  tls.key: |⏎    {five}BEGIN PRIVATE KEY{five}⏎    «MIIE{b64:60}⏎    {b64:64}»
# users and passwords as flags
mosquitto_sub -h mq.example.com -u {word} -P «{pw}» -t '#'
cypher-shell -u neo4j -p «{pw}» 'MATCH (n) RETURN count(n)'
evil-winrm -i 10.0.0.{n:2} -u {word} -p '«{pw}»'
schtasks /create /tn {word} /tr run.bat /sc daily /ru {word} /rp «{pw}»
# users and passwords in a row
rabbitmqctl change_password {word} «{pw}»
sudo net user administrator «{pw}»
ejabberdctl register {word} example.com «{pw}»
sqlplus {word}/«{pw}»@db.example.com/ORCL
# values with signs
DJANGO_SECRET_KEY=«{b62:6},{b62:5};{b62:9}&{b62:7},{b62:4}»
DB_PASSWORD=«{Word}{n:3},{word};{n:2}»
  password: «{b62:8},{b62:6}»
curl -u {word}:«{b62:7},{b62:7}» https://api.example.com
# seeds of one-time codes
totp = pyotp.parse_uri("otpauth://totp/{Word}?issuer={Word}&secret=«{b32:32}»")
  "otpSecret": "«{b32:26}»",
speakeasy.totp({ secret: '«{b32:32}»', encoding: 'base32' })
ykman oath accounts add {word} «{b32:32}»
# phrases of keys
ssh-keygen -p -P '«{pw}»' -N '' -f ~/.ssh/id_{word}
ssh-keygen -q -t rsa -b 4096 -N «{pw}» -f {word}
age-plugin: enter passphrase: «{pw}»
cryptsetup luksOpen /dev/sdb1 {word} <<< '«{pw}»'
# answers to questions
child.expect('assword:'); child.sendline('«{pw}»')
expect "Password:" { send -- "«{pw}»\r" }
ssh.sendline("«{pw}»")  # password prompt
yes '«{pw}»' | kinit {word}
# settings by name
aws ssm put-parameter --name /{word}/db --type SecureString --value '«{pw}»'
az keyvault secret set --vault-name {word} --name db --value «{pw}»
git config --global sendemail.smtpPass «{pw}»
nmcli device wifi connect {Word} password «{pw}»
# values hidden in ci
echo "##vso[task.setvariable variable=dbPass;issecret=true]«{pw}»"
core.setSecret('«{b62:40}»');
print(f"::add-mask::«{b62:32}»")
wrangler secret put {WORD}_KEY <<< «{b62:40}»
# literals in calls
putenv("DB_PASSWORD=«{pw}»");
os.environ.setdefault("DB_PASSWORD", "«{pw}»")
jwt.encode({"sub": "{word}"}, "«{pw}»", algorithm="HS256")
crypto.createHmac('sha256', '«{pw}»').update(body).digest('hex')
# remote shares
lftp -e 'ls' -u {word},«{pw}» ftp://files.example.com
net use Z: \\files\{word} /user:{word} «{pw}»
mount -t cifs //files/{word} /mnt -o username={word},password=«{pw}»,vers=3.0
wmic /node:10.0.0.{n:2} /user:{word} /password:«{pw}» os get caption
"""
LINES = r"""
sudo -u {word} mkdir -p build{n:2}/{word}_{n:2}
docker run -u app{n:1} -p 127.0.0.1:{n:4}:80/tcp {word}
ssh-keygen -t ed25519 -N "" -f ~/.ssh/{word}
msbuild {word}.sln /p:Configuration=Release{n:1} /p:Platform=x64
client.authenticate("{word}", "HS256")
jwt.decode(token, public_key, algorithms=["RS256"])  # {word} {n:2}
jwt.verify({word}, key, { algorithms: ['ES{n:3}'] })
const hmac = crypto.createHmac('sha256', {word}Key);
import { use{Word}2Fa } from '@/hooks/use{Word}2Fa{n:1}';
https://github.com/{word}/{word}-hooks/commit/{hex:40}
https://docs.example.com/webhooks/{word}-v{n:1}/retries-and-timeouts
npm config set registry https://registry.example.com/{word}{n:2}
git config --global user.password-store {word}
random_seed={n:7}, otp_length={n:1}, name={word}
otp code sent to {word}, expires in {n:3}s
send("{word} v{n:1} released")
child.expect("Password: "); child.sendline(password)  # {word}
cy.get("#password-{word}").type(user.password)
expect(screen.getByLabelText("password {word}")).toBeVisible()
define('{WORD}_PASSWORD_MIN', {n:2});
setItem("token", {word}.token)
aws ssm get-parameter --name /{word}/password --with-decryption
echo "::group::{word} {n:2}"
"key": "{word}", "value": "{hex:64}"
AKIA is how the ids of {word} begin, {n:4} of them
"""


def secrets_again() -> list[Planted]:
    """Return the sixty lines, the same ones each time."""
    return list(planted(KINDS))


def benign_again() -> list[str]:
    """Return two hundred lines that hold no secret, the same ones each time."""
    rows = LINES.strip("\n").splitlines()
    return [fill(row, Random(f"{at} {row}")) for at in range(_DRAWS) for row in rows]
