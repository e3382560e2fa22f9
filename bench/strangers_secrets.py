"""Made-up secrets in lines as coding agents see them, by someone who saw no rule.

Five lines of each of forty kinds, written before their writer read the redactor. What
stands between « and » is the secret; its random parts are drawn when the program runs.
"""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

from bench.strangers_draw import fill

KINDS = r"""
# aws keys
AWS_SECRET_ACCESS_KEY=«{b64:40}» aws s3 sync ./dist s3://{word}-site --delete
Access key ID,Secret access key⏎AKIA{up:16},«{b64:40}»
aws configure set aws_secret_access_key «{b64:40}» --profile {word}
    "SecretAccessKey": "«{b64:40}»",
export AWS_SESSION_TOKEN="«IQoJb3JpZ2luX2Vj{b64:180}=»"
# google keys
curl "https://maps.googleapis.com/maps/api/geocode/json?address=Oslo&key=«AIza{url:35}»"
  "private_key": "{five}BEGIN PRIVATE KEY{five}\n«MII{b64:61}\n{b64:64}\n{b64:40}==»\n{five}END PRIVATE KEY{five}\n",
gcloud auth print-access-token⏎«ya29.{url:120}»
GOOGLE_CLIENT_SECRET=«GOCSPX-{url:28}»
client_id: {dig:12}-{low:32}.apps.googleusercontent.com  refresh_token: «1//0{url:90}»
# azure keys
az storage blob upload --account-name {word}data --account-key «{b64:86}==» -f out.csv -c reports -n out.csv
az login --service-principal -u {uuid} -p «{b62:3}8Q~{url:34}» --tenant {uuid}
AZURE_CLIENT_SECRET="«{b62:3}8Q~{url:34}»"
    "primaryKey": "«{b64:86}==»",
AZURE_OPENAI_API_KEY=«{hex:32}»
# clouds and their tools
doctl auth init --access-token «dop_v1_{hex:64}»
fly deploy --access-token "FlyV1 «fm2_{b64:120}»"
databricks configure --token <<< «dapi{hex:32}»
credentials "app.terraform.io" { token = "«{b62:14}.atlasv1.{url:67}»" }
grafana: Bearer token «glsa_{b62:32}_{hex:8}» created for {word}
# github tokens
git clone https://x-access-token:«ghs_{b62:36}»@github.com/{word}/{word}.git
echo «ghp_{b62:36}» | gh auth login --with-token
remote: origin  https://«github_pat_{b62:22}_{b62:59}»@github.com/{word}/{word} (push)
GH_TOKEN: «gho_{b62:36}»
    oauth_token: «gho_{b62:36}»
# other forges
curl --header "PRIVATE-TOKEN: «glpat-{url:20}»" https://gitlab.example.com/api/v4/projects
git remote set-url origin https://oauth2:«glpat-{url:20}»@gitlab.example.com/{word}/{word}.git
gitlab-runner register --non-interactive --registration-token «GR1348941{url:20}» --executor docker
git push https://{word}:«ATBB{b62:32}»@bitbucket.org/{word}/{word}.git main
tea login add --name {word} --url https://gitea.example.com --token «{hex:40}»
# chat webhooks
curl -X POST -d '{"text":"deployed"}' https://hooks.slack.com/services/«T{up:10}/B{up:10}/{b62:24}»
DISCORD_WEBHOOK=https://discord.com/api/webhooks/{dig:18}/«{url:68}»
url: "https://{word}.webhook.office.com/webhookb2/«{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}»"
webhook_url = "https://chat.googleapis.com/v1/spaces/{b62:11}/messages?key={url:39}&token=«{url:43}»"
POST https://hooks.zapier.com/hooks/catch/«{dig:7}/{low:7}» 200 OK
# chat tokens
SLACK_BOT_TOKEN=«xoxb-{dig:12}-{dig:13}-{b62:24}» python -m bot
curl https://api.telegram.org/bot«{dig:10}:AA{url:33}»/getMe
client.run("«MTE{b62:23}.G{url:5}.{url:38}»")
app_token: «xapp-1-A{up:10}-{dig:13}-{hex:64}»
curl -H "Authorization: Bot «MTE{b62:23}.G{url:5}.{url:38}»" https://discord.com/api/v10/users/@me
# payment keys
stripe listen --api-key «sk_live_{b62:99}» --forward-to localhost:4242/webhook
> Ready! Your webhook signing secret is «whsec_{hex:64}» (^C to quit)
curl https://api.stripe.com/v1/charges -u «sk_test_{b62:24}»:
SQUARE_ACCESS_TOKEN=«EAAA{url:60}»
razorpay.Client(auth=("rzp_live_{b62:14}", "«{b62:24}»"))
# database urls
psql postgresql://{word}:«{pw}»@db.example.com:5432/{word} -c 'select count(*) from users'
DATABASE_URL="mysql2://app:«{plain}»@10.2.0.{n:2}/{word}?pool=5"
mongodb+srv://{word}:«{b62:16}»@cluster0.{low:5}.mongodb.net/?retryWrites=true
redis-cli -u redis://default:«{b62:32}»@cache.example.com:6379 ping
sqlalchemy.exc.OperationalError: could not connect: postgresql+asyncpg://{word}:«{plain}»@localhost/{word}
# private key blocks
{five}BEGIN RSA PRIVATE KEY{five}⏎«MII{b64:61}⏎{pem:6}⏎{b64:40}==»⏎{five}END RSA PRIVATE KEY{five}
$ cat ~/.ssh/id_ed25519⏎{five}BEGIN OPENSSH PRIVATE KEY{five}⏎«b3BlbnNzaC1rZXktdjE{b64:51}⏎{pem:3}⏎{b64:30}=»⏎{five}END OPENSSH PRIVATE KEY{five}
echo "{five}BEGIN EC PRIVATE KEY{five}\n«MHcCAQEE{b64:56}\n{b64:64}\n{b64:32}==»\n{five}END EC PRIVATE KEY{five}" > key.pem
     1  {five}BEGIN PRIVATE KEY{five}⏎     2  «MIIE{b64:60}⏎     3  {b64:64}⏎     4  {b64:64}»⏎
$ age-keygen⏎# created: {day}⏎# public key: age1{low:58}⏎«AGE-SECRET-KEY-1{up:58}»
# jwts
curl -s -H "Authorization: Bearer «{jwt}»" https://api.example.com/v1/me
SUPABASE_SERVICE_ROLE_KEY=«{jwt}»
{"access_token":"«{jwt}»","token_type":"Bearer","expires_in":3600}
localStorage.setItem('session', '«{jwt}»')
[{day} {hour}] DEBUG auth: verifying «{jwt}» for tenant {word}
# basic headers
curl -H "Authorization: Basic «{basic}»" https://jira.example.com/rest/api/2/myself
> Authorization: Basic «{basic}»
headers = {"Authorization": "Basic «{basic}»"}
git -c http.extraheader="AUTHORIZATION: basic «{basic}»" fetch origin
proxy-authorization: Basic «{basic}»
# bearer headers
curl https://api.example.com/v2/{word} -H 'Authorization: Bearer «{b62:48}»'
http GET api.example.com/{word} "Authorization:Bearer «{url:64}»"
< request headers: { authorization: 'Bearer «{hex:40}»', accept: '*/*' }
req.Header.Set("Authorization", "Bearer «{url:36}»")
wget --header="authorization: bearer «{low:40}»" https://files.example.com/{word}.tar.gz
# other headers
curl -H "X-Api-Key: «{b62:32}»" https://api.example.com/{word}
curl -H "X-Vault-Token: «hvs.{url:90}»" $VAULT_ADDR/v1/secret/data/{word}
Authorization: Token «{hex:40}»
-H 'DD-API-KEY: «{hex:32}»' -H 'DD-APPLICATION-KEY: {hex:8}…'
  'Ocp-Apim-Subscription-Key': '«{hex:32}»',
# curl users
curl -u {word}:«{pw}» https://nexus.example.com/repository/{word}/
curl --user "{word}:«{pw}»" -T {word}.tgz ftp://files.example.com/in/
curl -su admin:«{plain}» localhost:9200/_cluster/health?pretty
http -a {word}:«{pw}» https://api.example.com/{word}
curl -x http://proxy.example.com:3128 --proxy-user '{word}:«{pw}»' -I https://example.com
# database clients
mysql -h 127.0.0.1 -u root -p«{plain}» {word} -e 'show tables'
mysqldump --user={word} --password=«{pw}» {word} > dump.sql
PGPASSWORD=«{pw}» pg_dump -h db.example.com -U {word} {word} | gzip > {word}.gz
redis-cli -h 10.0.0.{n:2} -a «{pw}» info replication
sqlcmd -S localhost -U sa -P '«{pw}»' -Q 'SELECT @@VERSION'
# remote logins
sshpass -p '«{pw}»' ssh deploy@10.1.2.{n:2} 'systemctl restart {word}'
smbclient //files.example.com/{word} -U {word}%«{pw}» -c 'ls'
ldapsearch -x -H ldap://ldap.example.com -D "cn=admin,dc=example,dc=com" -w «{pw}» "(uid={word})"
lftp -u {word},«{pw}» sftp://files.example.com -e 'mirror -R dist; quit'
xfreerdp /v:10.0.4.{n:2} /u:{word} /p:«{pw}» /cert:ignore
# openssl and key stores
openssl rsa -in key.pem -passin pass:«{pw}» -out plain.pem
openssl enc -aes-256-cbc -pbkdf2 -salt -k «{pw}» -in {word}.tar -out {word}.enc
openssl pkcs12 -export -inkey k.pem -in c.pem -out c.p12 -passout pass:«{pw}»
keytool -genkeypair -alias {word} -keystore release.jks -storepass «{pw}» -keypass changeit
gpg --batch --yes --passphrase «{pw}» -d {word}.gpg
# registry logins
docker login registry.example.com -u {word} -p «{pw}»
echo '«{pw}»' | docker login -u {word} --password-stdin
skopeo copy --dest-creds {word}:«{pw}» docker-archive:img.tar docker://registry.example.com/{word}
		"registry.example.com": { "auth": "«{basic}»" }
kubectl create secret docker-registry regcred --docker-server=registry.example.com --docker-username={word} --docker-password=«{pw}»
# env before a command
DB_PASSWORD='«{pw}»' python manage.py migrate
SECRET_KEY=«{odd:50}» DEBUG=0 gunicorn {word}.wsgi
docker run -d -e POSTGRES_PASSWORD=«{plain}» -p 5432:5432 postgres:16
env RAILS_MASTER_KEY=«{hex:32}» bin/rails db:prepare
$env:ADMIN_PASS = "«{pw}»"; ./deploy.ps1
# env as printed
declare -x SMTP_PASSWORD="«{pw}»"
                "MINIO_ROOT_PASSWORD=«{pw}»",
Environment=JWT_SECRET=«{b62:48}» NODE_ENV=production
NEXTAUTH_SECRET=«{b64:43}=»
{WORD}_API_KEY:      «{b62:32}»
# ini and toml
password = «{pw}»
secret_key = "«{url:50}»"
db.password=«{pw}»
[smtp] user={word} pass=«{pw}» host=mail.example.com
auth_token = '«{hex:40}»'  # rotate in march
# yaml
  password: «{pw}»
  POSTGRES_PASSWORD: "«{plain}»"
    - name: API_TOKEN⏎      value: «{b62:40}»
  admin: { user: {word}, password: '«{pw}»' }
secret_key_base: «{hex:128}»
# json
{"host":"db.example.com","user":"{word}","password":"«{pw}»","port":5432}
  "clientSecret": "«{url:40}»",
{\"username\":\"{word}\",\"password\":\"«{pw}»\"}
+    "apiKey": "«{b62:32}»",
{"name": "ENCRYPTION_KEY", "value": "«{hex:64}»", "type": "plain"}
# dotfiles with passwords
machine api.example.com login {word} password «{pw}»
db.example.com:5432:{word}:{word}:«{pw}»
https://{word}:«{pw}»@git.example.com
default login {word}@example.com⏎  password «{pw}»
[client]⏎user={word}⏎password="«{pw}»"
# package registries
//registry.example.com/:_authToken=«npm_{b62:36}»
password = «pypi-AgEIcHlwaS5vcmc{url:140}»
twine upload -u __token__ -p «pypi-AgEIcHlwaS5vcmc{url:140}» dist/*
npm config set //registry.example.com/:_auth «{basic}»
cargo publish --token «cio{b62:32}»
# signed urls
https://{word}.s3.amazonaws.com/{word}.zip?X-Amz-Credential=AK&X-Amz-Date={dig:8}T{dig:6}Z&X-Amz-Expires=900&X-Amz-Signature=«{hex:64}»
https://storage.googleapis.com/{word}/{word}.bin?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Expires=3600&X-Goog-Signature=«{hex:128}»
azcopy copy out "https://{word}.blob.core.windows.net/{word}?sv=2022-11-02&sp=rl&se={day}&sig=«{b62:40}%2B{b62:2}%3D»"
GET https://api.example.com/v1/files/{dig:6}?access_token=«{b62:40}» 302
https://cdn.example.com/{word}.m3u8?Expires={dig:10}&Signature=«{url:120}__»&Key-Pair-Id=K{up:13}
# cookies
curl -b 'sessionid=«{low:32}»; csrftoken={b62:8}' https://app.example.com/{word}
Cookie: connect.sid=«s%3A{url:32}.{b62:43}»
< Set-Cookie: _{word}_session=«{b62:120}--{hex:40}»; path=/; HttpOnly
curl --cookie "JSESSIONID=«{HEX:32}»" http://localhost:8080/{word}
Set-Cookie: auth_token=«{url:86}»; Domain=.example.com; Secure
# otp seeds
otpauth://totp/{Word}:{word}@example.com?secret=«{b32:32}»&issuer={Word}
oathtool --totp -b «{b32:32}»
TOTP_SECRET=«{b32:16}»
  "mfa_seed": "«{b32:26}»",
pyotp.TOTP("«{b32:32}»").now()
# ssh and backup passphrases
ssh-keygen -t ed25519 -f ~/.ssh/deploy -N '«{pw}»'
ssh-keygen -y -P "«{pw}»" -f id_rsa
expect -c 'spawn ssh-add key; expect "passphrase"; send "«{pw}»\r"; interact'
RESTIC_PASSWORD=«{pw}» restic -r /srv/{word} snapshots
BORG_PASSPHRASE="«{Word} {word} {word} {n:2}»" borg create /mnt/{word}::{day} ~/docs
# llm keys
export OPENAI_API_KEY=«sk-proj-{url:74}T3BlbkFJ{url:74}»
client = Anthropic(api_key="«sk-ant-api03-{url:93}AA»")
HF_TOKEN=«hf_{b62:34}» huggingface-cli download {word}/{word}
curl https://api.groq.com/openai/v1/models -H "Authorization: Bearer «gsk_{b62:52}»"
{"provider": "openrouter", "key": "«sk-or-v1-{hex:64}»"}
# tokens of web services
curl -s --user 'api:«key-{hex:32}»' https://api.mailgun.net/v3/mg.example.com/messages
curl -H "Authorization: «lin_api_{b62:40}»" https://api.linear.app/graphql
const notion = new Client({ auth: "«ntn_{dig:11}{b62:35}»" })
jira login: {word}@example.com:«ATATT3xFfGF0{url:160}={HEX:8}»
figma-export --token «figd_{url:40}» {b62:22}
# connection strings
Server=tcp:db.example.com,1433;Database={word};User ID=sa;Password=«{pw}»;Encrypt=True;
jdbc:postgresql://db.example.com/{word}?user={word}&password=«{pw}»&ssl=true
Endpoint=sb://{word}.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«{b64:43}=»
DefaultEndpointsProtocol=https;AccountName={word};AccountKey=«{b64:86}==»;EndpointSuffix=core.windows.net
DRIVER={ODBC Driver 17 for SQL Server};SERVER=10.0.0.{n:1};UID={word};PWD=«{pw}»
# kubernetes
    token: «{jwt}»
    client-key-data: «LS0tLS1CRUdJTi{b64:200}=»
kubectl create secret generic {word} --from-literal=password=«{pw}»
kind: Secret⏎data:⏎  db-password: «{coded}»
kubectl --token=«{b62:64}» --server=https://10.0.0.{n:2}:6443 get pods
# infrastructure as code
terraform apply -auto-approve -var="db_password=«{pw}»" -var region=eu-west-1
TF_VAR_admin_password=«{pw}» terraform plan
ansible-playbook site.yml -e ansible_become_pass=«{pw}» -l web
helm upgrade --install {word} ./chart --set auth.rootPassword=«{pw}»,replicas=2
pulumi config set --secret dbPassword «{pw}»
# ci logs
{day}T{hour}.1234567Z   NPM_TOKEN: «npm_{b62:36}»
{day}T{hour}.7654321Z ##[debug]DEPLOY_TOKEN='«{b62:40}»'
gh secret set STAGING_PASSWORD --body "«{pw}»"
+ docker build --build-arg NPM_AUTH=«{uuid}» -t {word} .
echo "::add-mask::«{b62:40}»"
# literals in code
const stripe = require('stripe')('«sk_live_{b62:24}»');
conn = psycopg2.connect(host="db", user="{word}", password="«{pw}»")
define('DB_PASSWORD', '«{pw}»');
private static final String API_SECRET = "«{b62:40}»";
jwt.sign(payload, '«{pw}»', { expiresIn: '1h' })
# accounts
echo '{word}:«{pw}»' | sudo chpasswd
CREATE USER {word} WITH PASSWORD '«{pw}»';
mysql -e "ALTER USER '{word}'@'%' IDENTIFIED BY '«{pw}»'"
net user {word} «{pw}» /add
htpasswd -bc .htpasswd {word} «{pw}»
# archives and brokers
7z x -p«{pw}» backup.7z -oout
unzip -P «{pw}» {word}.zip
mosquitto_pub -h mq.example.com -u {word} -P «{pw}» -t {word}/state -m on
rabbitmqctl add_user {word} «{pw}»
echo «{pw}» | sudo -S apt-get install -y {word}
"""


class Planted(NamedTuple):
    """A line and the secret in it."""

    kind: str
    line: str
    secret: str


def secrets() -> list[Planted]:
    """Return the two hundred lines, the same ones each time."""
    return list(planted(KINDS))


def planted(text: str) -> list[Planted]:
    """Return the lines of a text that has a heading before each kind."""
    kind, made = "", list[Planted]()
    for row in text.strip().splitlines():
        if row.startswith("# "):
            kind = row[2:]
            continue
        marked = fill(row, Random(f"{kind} {row}"))
        secret = re.search("«(.*)»", marked, re.DOTALL)
        assert secret, row  # noqa: S101 - a slip in the table above
        made.append(Planted(kind, re.sub("[«»]", "", marked), secret[1]))
    return made
