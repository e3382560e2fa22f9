"""Whether a model is served on one's own machine or network: what it reads stays there.

Only words are looked at, and no name is resolved: a name may lead anywhere, and to ask is
to tell. What is not known counts as the cloud.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

_PROVIDERS = frozenset(
    [
        "exo",
        "jan",
        "koboldcpp",
        "llama.cpp",
        "llamacpp",
        "llamafile",
        "lmstudio",
        "local",
        "localai",
        "mlx",
        "ollama",
        "sglang",
        "tabbyapi",
        "tgi",
        "vllm",
    ]
)
_OWN_NAMES = ("localhost", "host.docker.internal")
_OWN_ENDINGS = (".local", ".lan", ".localhost", ".home.arpa")
_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_PRIVATE = tuple(
    ipaddress.ip_network(network)
    for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
)


def is_local(provider: str | None, base_url: str | None) -> bool:
    """Say whether a provider is certainly on this machine or its network.

    Args:
        provider: Its name, in any case.
        base_url: Where it is asked; it counts more than the name.

    Example:
        >>> is_local("ollama", None), is_local("ollama", "https://ollama.com/v1")
        (True, False)
        >>> is_local(None, "http://192.168.1.7:8080/v1"), is_local("anthropic", None)
        (True, False)
    """
    if base_url:
        return is_own_address(base_url)
    return re.sub(r"[\s_-]", "", (provider or "").lower()) in _PROVIDERS


def is_own_address(url: str) -> bool:
    """Say whether an address is on this machine or its network, by its words alone."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme in ("unix", "http+unix"):
        return True
    if parts.scheme not in ("http", "https"):
        return False
    address = _address(host)
    if address is not None:
        return is_own(address)
    host = host.removesuffix(".").lower()
    if not _NAME.fullmatch(host):  # programs may read different names out of it
        return False
    return host in _OWN_NAMES or host.endswith(_OWN_ENDINGS)


def is_own(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Say whether a number is loopback, link-local, or of a private network.

    0.0.0.0 is where some servers say that they are; to connect there is to connect here.
    """
    mapped = getattr(address, "ipv4_mapped", None)
    address = mapped or address
    is_private = any(address in network for network in _PRIVATE)
    is_here = address.is_loopback or address.is_unspecified
    return is_here or address.is_link_local or is_private


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
