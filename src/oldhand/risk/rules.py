"""The list of always-risky actions, as data.

A row of `commands` is a program, then what must be there besides:

    git push !--dry-run     a subcommand, unless the option is given
    gh pr merge|close       a subcommand, then an operand behind it, one or the other
    git reset --hard        an option, also abbreviated; `-f` also inside `-xdf`
    docker .. prune         an operand anywhere, not only in the first place
    rm @deletes_widely      a function of `on_files.py` and its siblings, that must agree
    * @is_privileged        any program at all; `>` any program with a redirect

A row of `tools` is words that must all be in a tool's name, alternatives likewise:
`send email|mail` matches `mcp__gmail__sendEmail`. A name that begins by reading, as
`get_` and `list_` do, never matches.
The first rule that matches is the one reported, so the worst stand first.
"""

from __future__ import annotations

from oldhand.named_tuple import NamedTuple


class Rule(NamedTuple):
    """One kind of risky action.

    Attributes:
        name: Stable; policies and audit rows refer to it.
        why: One sentence for the person who decides.
        commands: Rows of command lines, as the module describes.
        tools: Rows of words in tool names.
    """

    name: str
    why: str
    commands: str = ""
    tools: str = ""


RULES = (
    Rule(
        "wipe-disk",
        "Overwrites a disk or a file system as a whole.",
        """
        dd @writes_device
        mkfs|mke2fs|mkswap|wipefs|fdisk|sfdisk|sgdisk|parted|blkdiscard
        diskutil eraseDisk|eraseVolume|partitionDisk|reformat
        cryptsetup luksFormat|luksErase|erase
        zpool|zfs destroy
        lvremove|vgremove|pvremove
        > @redirects_to_device
        """,
        "wipe\nformat disk",
    ),
    Rule(
        "delete",
        "Deletes more than single named files, and there is no way back.",
        """
        rm @deletes_widely
        find|fd|fdfind -delete
        git clean -f !-n !--dry-run
        git clean --force !-n !--dry-run
        shred|srm|rimraf|del-cli
        rsync --delete* !-n !--dry-run
        python|python3|node|ruby|perl|php|awk|gawk|lua @deletes_in_code
        """,
        "delete|erase|purge|destroy\nremove all",
    ),
    Rule(
        "privilege",
        "Acts as another user, or widens what others may do.",
        """
        * @is_privileged
        sudo|doas|su|pkexec|runuser|visudo|passwd|chpasswd
        useradd|usermod|userdel|groupadd|groupmod|setcap
        chmod @opens_to_all
        chown|chgrp -R
        chown|chgrp --recursive
        docker|podman run --privileged
        iptables|nft|ufw|setenforce|spctl|csrutil
        """,
    ),
    Rule(
        "remote-code",
        "Runs a program text that nobody has read: it comes from a pipe or the network.",
        """
        sh|bash|zsh|dash|ksh|ash|fish @reads_pipe
        python|python3|node|ruby|perl|php @reads_download
        eval|source|.|sh|bash|zsh|dash|ksh|ash|fish @runs_download
        nc|ncat|netcat -e
        ncat --exec
        > @opens_socket
        """,
    ),
    Rule(
        "hidden-program",
        "Which program runs cannot be told from the text.",
        """
        * @is_hidden
        source|.|sh|bash|zsh|dash|ksh|ash|fish @reads_substitution
        git @runs_alias
        """,
    ),
    Rule(
        "credentials",
        "Shows or copies a secret, which then stands in the session.",
        """
        * @reads_secret_file
        echo|printf @prints_secret
        env|printenv @prints_environment
        export|declare -p
        gh auth token
        aws secretsmanager get-secret-value
        aws ssm get-parameter|get-parameters --with-decryption
        aws sts assume-role|get-session-token
        aws configure export-credentials|get
        gcloud auth print-access-token|print-identity-token
        gcloud secrets access
        az account get-access-token
        az keyvault show|download
        vault kv get
        vault read
        op read
        op item get
        pass show
        kubectl|oc get secret|secrets
        security find-generic-password|find-internet-password|dump-keychain
        gpg --export-secret-keys
        """,
        "reveal|export secret|secrets|credentials",
    ),
    Rule(
        "database",
        "Drops or empties tables, or changes every row of one.",
        """
        psql|mysql|mariadb|sqlite3|sqlcmd|duckdb|clickhouse-client @destroys_data
        mongo|mongosh|cockroach|bq|snowsql|turso @destroys_data
        dropdb|dropuser
        redis-cli .. FLUSHALL|FLUSHDB|flushall|flushdb
        rails|rake|mix db:drop|db:reset|ecto.drop|ecto.reset
        prisma|supabase .. reset
        mysqladmin .. drop
        """,
        "drop|truncate table|database|schema|collection|index|column\nwipe database",
    ),
    Rule(
        "publish",
        "Others can see it at once, and it cannot be taken back.",
        """
        git push !--dry-run !-n
        npm|pnpm|yarn|bun|lerna publish !--dry-run
        yarn npm publish
        npm unpublish|deprecate|dist-tag|owner|access
        cargo publish|yank|owner !--dry-run !-n
        twine upload
        poetry|uv|hatch|flit|pdm publish !--dry-run
        gem push|yank
        mix hex.publish
        dotnet nuget push
        mvn .. deploy|deploy:deploy-file|release:perform
        docker|podman push
        docker|podman compose|image|manifest push
        docker|podman --push
        helm push
        gh pr merge
        gh release create|delete|edit|upload
        gh repo create|delete|edit|archive|rename
        gh secret|variable set|delete
        gh workflow run|enable|disable
        gh gist create
        glab mr merge
        hub release create
        """,
        "publish\nmerge pull|pr\npush repository|files\ncreate release",
    ),
    Rule(
        "deploy",
        "Changes what is running for others.",
        """
        kubectl|oc apply|delete|replace|patch|scale|drain|cordon|edit|set|rollout !--dry-run
        terraform|tofu apply|destroy|import|taint|force-unlock
        terraform|tofu state rm|mv|push
        terragrunt apply|destroy|run-all
        pulumi up|update|destroy|import|cancel
        helm install|upgrade|uninstall|delete|rollback !--dry-run
        vercel deploy|promote|rollback|remove
        vercel --prod
        netlify|fly|flyctl|firebase|supabase|serverless|sls|wrangler deploy
        cdk|sam|copilot|amplify|eb deploy|destroy|delete
        gcloud .. deploy
        az .. create|up
        aws deploy
        aws .. update-stack|create-stack|update-service|update-function-code
        heroku apps:destroy|pg:reset|ps:scale|releases:rollback|config:set
        ansible-playbook !--check !--syntax-check
        cap deploy
        make|just|task|mise|rake|npm|pnpm|yarn|bun|gradle|gradlew|nx @is_release_task
        * @is_release_script
        """,
        "deploy|rollback\napply manifest|terraform",
    ),
    Rule(
        "cloud-delete",
        "Deletes or stops what others may depend on.",
        """
        aws @deletes_in_cloud
        gcloud|az|doctl|hcloud|linode-cli|oci|ibmcloud|scw .. delete|destroy|purge|terminate
        fly|flyctl|heroku .. destroy|apps:destroy
        gsutil .. rm|rb
        gh api @deletes_by_api
        s3cmd del|rb
        rclone delete|purge|sync !--dry-run
        """,
        "terminate|stop instance|instances|server|cluster|database\nshutdown",
    ),
    # `git rebase` and `commit --amend` are not here: the reflog keeps what they replace,
    # and nobody else sees it before a push, which is on the list.
    Rule(
        "lose-work",
        "Throws away commits or changes that exist nowhere else.",
        """
        git reset --hard
        git checkout|restore|switch @discards_all
        git stash drop|clear
        git branch -D
        git branch --delete --force
        git filter-branch|filter-repo
        git reflog expire|delete
        git update-ref -d
        git gc --prune*
        git worktree remove --force
        docker|podman .. prune
        docker|podman volume rm
        docker|podman .. down -v
        docker|podman .. down --volumes
        crontab -r
        """,
    ),
    Rule(
        "stop",
        "Stops processes or the machine by more than a single process id.",
        """
        pkill|killall|killall5|shutdown|reboot|halt|poweroff|telinit
        kill @kills_widely
        init 0|6
        systemctl stop|disable|mask|kill|isolate|poweroff|reboot|halt|rescue|emergency
        service .. stop
        launchctl unload|bootout|remove|kill
        tmux kill-server
        * @is_fork_bomb
        """,
        "kill all\nreboot\npower off",
    ),
    Rule(
        "system-file",
        "Changes how the machine or every later shell behaves.",
        """
        > @redirects_to_system
        tee|cp|mv|install|ln|sed|truncate|dd @writes_to_system
        crontab !-l
        """,
    ),
    Rule(
        "money",
        "Moves money or commits to a payment.",
        tools="""
        transfer|pay|payment|purchase|buy|refund|withdraw|wire|donate
        send|create invoice
        checkout cart|order
        place order|trade
        """,
    ),
    Rule(
        "message",
        "Speaks to other people in the name of the user.",
        """
        gh pr comment|create|review|close|reopen|edit|ready
        gh issue create|comment|close|reopen|edit|delete|transfer
        gh api @changes_by_api
        glab mr|issue create|note|close|update
        mail|mailx|sendmail|mutt|swaks
        aws ses send-email|send-raw-email
        aws sns publish
        curl|wget @posts_message
        """,
        """
        send email|mail|message|sms|dm|slack|notification
        post|create message|comment|tweet|post|review
        add|reply comment|email
        tweet
        """,
    ),
)
