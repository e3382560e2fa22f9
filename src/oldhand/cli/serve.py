"""`oldhand serve`: the daemon that holds actions for people."""

from __future__ import annotations

import logging
import os
from functools import partial
from typing import TYPE_CHECKING

import click

from oldhand.cli.face import Face, common_options, talk

if TYPE_CHECKING:
    from oldhand.app.confirmation import Beginning
    from oldhand.settings import Settings
    from oldhand.store import Store
    from oldhand.web.clockwork import JobWork
    from oldhand.web.server import Parts

PORT = 6060


@click.command()
@click.option("--host", help="Where to listen.  [OLDHAND_HOST, default 127.0.0.1]")
@click.option("--port", type=int, help="At which port.  [OLDHAND_PORT, default 6060]")
@click.option(
    "--rate-limit",
    type=click.IntRange(min=0),
    help="So many requests of an agent for one action an hour; 0: any number; default: the "
    "policy's limit, or 10.",
)
@click.option(
    "--solo/--no-solo",
    default=None,
    help="Whether you may decide what your own agents ask; as it was unless given.",
)
@click.option(
    "--url", help="How it is reached from elsewhere, as https://oldhand.example."
)
@click.option(
    "--tls-cert", metavar="FILE", help="Speak TLS, with this certificate (PEM)."
)
@click.option("--tls-key", metavar="FILE", help="Its key.")
@click.option(
    "--behind-proxy", is_flag=True, help="A proxy before it speaks TLS, at --url."
)
@click.option(
    "--insecure",
    metavar="REASON",
    default="",
    help="Let others reach it without TLS, and say why.",
)
@click.option(
    "--no-jobs", is_flag=True, help="Leave scheduled jobs to another scheduler."
)
@click.option("--new-link", is_flag=True, help="Make a link to set your password anew.")
@common_options
def serve(
    face: Face,
    host: str | None,
    port: int | None,
    rate_limit: int | None,
    solo: bool | None,
    url: str | None,
    tls_cert: str | None,
    tls_key: str | None,
    behind_proxy: bool,
    insecure: str,
    no_jobs: bool,
    new_link: bool,
) -> None:
    """Hold what agents want to do until a person decides, and run jobs that are due.

    Agents ask by HTTP, people decide in a browser. The policy is ~/.oldhand/policy.toml,
    where there is one. Ctrl-C stops it, and loses nothing.
    """
    _check_extra()
    from oldhand.cli.serving import Serving
    from oldhand.store.open import file_named_by
    from oldhand.web.exposure import Exposure
    from oldhand.web.process import serve as run
    from oldhand.web.server import ConfirmationServer

    settings = face.settings
    exposure = Exposure(
        host=host or settings.host,
        port=settings.port if port is None else port,
        tls_cert=tls_cert,
        tls_key=tls_key,
        public_url=url,
        is_behind_proxy=behind_proxy,
        insecure_reason=insecure,
    )
    store = face.store(for_writing=True)
    parts = _parts(settings, rate_limit)._replace(
        jobs=_jobs(settings, is_scheduling=not no_jobs)
    )
    server = ConfirmationServer(store, exposure=exposure, parts=parts)
    begun: list[Beginning] = []

    def before() -> None:  # a start that finds its port taken changes nothing
        url = _url_elsewhere(server.url)
        begun.append(_begin(store, settings, url, solo=solo, wants_link=new_link))

    def ready() -> None:
        serving.say(f"process {os.getpid()}, {server.url}")
        _tell(face, store, begun[0], server.url)

    _log_to_stderr()
    with Serving(file_named_by(settings.database)) as serving:
        if serving.other:
            talk(
                f"another `oldhand serve` has this database already ({serving.other}); "
                "both would hold requests, and each decision counts once"
            )
        run(server, before=before, ready=ready)
    talk("stopped; what waits goes on waiting, and `oldhand serve` takes it up again")


def _check_extra() -> None:
    """Say what to install where the daemon's packages are missing.

    Raises:
        InvalidInput: One of them is.
    """
    from importlib.util import find_spec

    from oldhand.errors import InvalidInput
    from oldhand.extras import install_command

    needed = ("starlette", "uvicorn", "httptools", "jinja2", "cryptography")
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        raise InvalidInput(
            f"the daemon needs {', '.join(missing)}: {install_command('serve')}"
        )


def _parts(settings: Settings, per_hour: int | None) -> Parts:
    from oldhand.app import confirmation
    from oldhand.app.confirm_places import POLICY_FILE, checkpoints_file
    from oldhand.confirm.keys import SigningKey
    from oldhand.confirm.model import Rules
    from oldhand.confirm.moments import SteadyClock
    from oldhand.settings import KEY_FILE
    from oldhand.web.desk import Told
    from oldhand.web.server import Parts

    channels = confirmation.channels_of(settings)
    clock = SteadyClock()
    if confirmation.has_channels(channels):
        told = Told(
            held=partial(confirmation.put_notice, clock=clock),
            over=partial(confirmation.drop_notice, clock=clock),
        )
    else:
        told = Told(held=confirmation.log_notice)
    return Parts(
        key=SigningKey.load(settings.home / KEY_FILE),
        rules=Rules(per_hour=per_hour),
        policy_file=settings.home / POLICY_FILE,
        checkpoints_file=checkpoints_file(settings),
        channels=channels,
        told=told,
        clock=clock,
    )


def _jobs(settings: Settings, *, is_scheduling: bool) -> JobWork:
    from oldhand.app.scheduling import make_scheduler
    from oldhand.web.clockwork import JobWork

    if not is_scheduling:
        return JobWork(settings)
    return JobWork(
        settings,
        lambda store, page_of: make_scheduler(store, settings, page_of=page_of),
    )


def _url_elsewhere(url: str) -> str:
    """Return the URL that agents are to use where it is not this machine's own; else ""."""
    from oldhand.integrations.gate.transport import read_address

    if not url.startswith("https://"):  # which no client takes for another machine
        return ""
    return "" if read_address(url).is_here else url


def _begin(
    store: Store, settings: Settings, url: str, *, solo: bool | None, wants_link: bool
) -> Beginning:
    from oldhand.app import confirmation
    from oldhand.clock import system_clock

    made = confirmation.begin(
        store, settings, clock=system_clock, wants_link=wants_link, url=url
    )
    confirmation.turn_solo(store, to=solo, clock=system_clock)
    return made


def _tell(face: Face, store: Store, beginning: Beginning, url: str) -> None:
    """Say where it is, and what to type next."""
    from oldhand.confirm.switches import is_solo

    is_alone = is_solo(store)
    link = None if beginning.link is None else f"{url}/welcome/{beginning.link}"
    if face.as_json:
        face.emit(
            {
                "url": url,
                "person": beginning.person,
                "agent": beginning.agent,
                "token_file": str(beginning.token_file) if beginning.agent else None,
                "link": link,
                "solo": is_alone,
            }
        )
        return
    click.echo(f"oldhand holds requests at {url}; Ctrl-C stops it")
    if beginning.agent is not None:
        click.echo(
            f"made {beginning.person}, a person, and {beginning.agent}, an agent; its "
            f"token is in {beginning.token_file}"
        )
    if beginning.moved_token is not None:
        click.echo(f"the token that was there is now {beginning.moved_token}")
    if link is not None:
        click.echo(f"set {beginning.person}'s password within an hour: {link}")
    if beginning.agent is not None:
        click.echo("then try: oldhand confirm run -- echo hello")
    if url != face.settings.confirm_url.rstrip("/"):
        click.echo(
            f"for agents and `oldhand confirm`: export OLDHAND_CONFIRM_URL={url}"
        )
    if is_alone:
        click.echo("solo mode is on: owners decide what their own agents ask")
    elif beginning.agent is not None:
        click.echo(
            f"solo mode is off: somebody other than {beginning.person} must decide what "
            f"{beginning.agent} asks; if you are alone, stop and type: oldhand serve --solo"
        )


def _log_to_stderr() -> None:
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    logging.getLogger("oldhand").setLevel(logging.INFO)
