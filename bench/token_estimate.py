"""How the token estimate compares with what tokenizers count.

    python -m bench.token_estimate

Tokenizers come from whatever is installed beside the project: `bpe-openai`, `tokenizers`
with the vocabularies in `litellm`, `sentencepiece` with those in `mistral-common`. No one
is needed and nothing is downloaded; without any, only the speed is printed. The texts are
warm starts rendered from real calls, and their arguments and results one by one. The
weights were chosen on the earlier half of the sessions; these are of the later half.
"""

from __future__ import annotations

import importlib.util
import random
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

from bench.labelled_calls import RecordedCall, claude_code_calls
from bench.real_sessions import CLAUDE_CODE
from oldhand.canonical_json import canonical_json
from oldhand.experience.example import Example
from oldhand.experience.render import fit_text
from oldhand.tokens import estimate

SEED = 20260301
_CALLS_PER_SESSION = 10
_BUDGETS = (500, 1_000, 2_000, 4_000)
_LONGEST_RESULT = 4_000
_FEWEST_TOKENS = 20  # below, one token more or less is all that a ratio shows
_ROUNDS = 5
_BEGUN = re.compile(r'"timestamp":\s*"([^"]+)"')

Count = Callable[[str], int]


def main() -> None:
    """Print the speed, and the ratios for each tokenizer and each kind of text."""
    texts = texts_by_kind() if CLAUDE_CODE.exists() else {"made up": [_MADE_UP * 50]}
    print_speed("".join(text for of_kind in texts.values() for text in of_kind))
    counts = tokenizers()
    if not counts:
        print("no tokenizer can be imported: nothing to compare with")
    if not CLAUDE_CODE.exists():
        print(f"skipped: no real sessions beside the checkout ({CLAUDE_CODE.name})")
    if counts and CLAUDE_CODE.exists():
        print_ratios(texts, counts)


_MADE_UP = (
    'Bash {"command": "go test ./internal/store -run TestRestore"}\nok  \t0.418s\n'
)


def print_speed(text: str) -> None:
    """Print the rate over one long text, the best of a few runs."""
    seconds = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        estimate(text)
        seconds.append(time.process_time() - start)
    megabytes = len(text) / 1e6
    print(f"{megabytes:.1f} MB at {megabytes / min(seconds):.0f} MB/s")


def print_ratios(texts: dict[str, list[str]], counts: dict[str, Count]) -> None:
    """Print estimate / count: for each kind against the most that any tokenizer needs."""
    print(
        "\nestimate / count         texts   mean    min     p1    p99    max  too low"
    )
    for kind, of_kind in texts.items():
        tables = [[count(text) for count in counts.values()] for text in of_kind]
        pairs = list(zip(of_kind, tables, strict=True))
        needed = [(text, max(row)) for text, row in pairs]
        print_row(f"{kind} / the most", needed)
        if kind == "warm starts":
            for at, name in enumerate(counts):
                print_row(f"  / {name}", [(text, row[at]) for text, row in pairs])


def print_row(name: str, counted: Sequence[tuple[str, int]]) -> None:
    """Print the distribution of one set of ratios."""
    ratios = sorted(
        estimate(text) / count for text, count in counted if count >= _FEWEST_TOKENS
    )
    low = sum(ratio < 1 for ratio in ratios) / len(ratios)
    places = (0, len(ratios) // 100, -1 - len(ratios) // 100, -1)
    shown = "".join(f"{ratios[place]:7.2f}" for place in places)
    print(
        f"{name:24} {len(ratios):5}{statistics.mean(ratios):7.2f}{shown}   {low:6.2%}"
    )


def texts_by_kind() -> dict[str, list[str]]:
    """Return rendered warm starts, arguments and results of the later sessions."""
    draw = random.Random(SEED)
    texts: dict[str, list[str]] = {"warm starts": [], "arguments": [], "results": []}
    for calls in later_sessions():
        for budget in _BUDGETS:
            texts["warm starts"].append(_warm_start(calls, budget, draw))
        for call in draw.sample(calls, min(_CALLS_PER_SESSION, len(calls))):
            texts["arguments"].append(canonical_json(call.arguments))
            texts["results"].append((call.result or "")[:_LONGEST_RESULT])
    return texts


def later_sessions() -> Iterator[list[RecordedCall]]:
    """Yield the calls with a result of each session in the later half, by its start."""
    begun = {
        path.stem: found[1]
        for path in CLAUDE_CODE.glob("*/*.jsonl")
        if (found := _BEGUN.search(path.read_text(encoding="utf-8")))
    }
    sessions: dict[str, list[RecordedCall]] = {name: [] for name in begun}
    for call in claude_code_calls():
        if call.result and call.session in sessions:
            sessions[call.session].append(call)
    names = sorted(begun, key=lambda name: begun[name])
    yield from (sessions[name] for name in names[len(names) // 2 :] if sessions[name])


def _warm_start(calls: list[RecordedCall], budget: int, draw: random.Random) -> str:
    chosen = draw.sample(calls, min(len(calls), budget // 20))
    examples = [
        Example(
            tool=call.tool,
            arguments=canonical_json(call.arguments),
            result=call.result or "",
            result_chars=len(call.result or ""),
        )
        for call in chosen
    ]
    return fit_text(examples, budget_tokens=budget).rendered


def tokenizers() -> dict[str, Count]:
    """Return a function that counts for each tokenizer that can be had here."""
    return {**_from_bpe_openai(), **_from_litellm(), **_from_mistral()}


def _from_bpe_openai() -> dict[str, Count]:
    if _folder_of("bpe_openai") is None:
        return {}
    package = import_module("bpe_openai")

    def counter(name: str) -> Count:
        encode = package.get_encoding(name).encode_ordinary
        return lambda text: len(encode(text))

    return {name: counter(name) for name in ("cl100k_base", "o200k_base")}


def _from_litellm() -> dict[str, Count]:
    folder = _folder_of("litellm")
    if folder is None or _folder_of("tokenizers") is None:
        return {}
    load = import_module("tokenizers").Tokenizer.from_file

    def counter(path: Path) -> Count:
        tokenizer = load(str(path))
        return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)

    files = sorted(folder.rglob("*_tokenizer.json"))
    return {path.stem.removesuffix("_tokenizer"): counter(path) for path in files}


def _from_mistral() -> dict[str, Count]:
    folder = _folder_of("mistral_common")
    if folder is None or _folder_of("sentencepiece") is None:
        return {}
    files = sorted(folder.rglob("*.model.v*"))
    if not files:
        return {}
    processor = import_module("sentencepiece").SentencePieceProcessor(
        model_file=str(files[-1])
    )
    return {"mistral, 32k": lambda text: len(processor.encode(text))}


def _folder_of(package: str) -> Path | None:
    """Find an installed package without importing it."""
    found = importlib.util.find_spec(package)
    places = found.submodule_search_locations if found else None
    return Path(places[0]) if places else None


if __name__ == "__main__":
    main()
