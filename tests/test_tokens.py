"""That the estimate is never too low where it matters, and that parts add up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.tokens import estimate

TOKENIZERS = (
    "cl100k_base",  # OpenAI, bpe-openai 0.1.4
    "o200k_base",  # OpenAI, bpe-openai 0.1.4
    "claude",  # Anthropic, as published with anthropic 0.34
    "deepseek",  # as in litellm 1.109
    "qwen",  # as in dashscope 2.0
    "tekken",  # Mistral, as of 240911 in mistral-common 1.13
    "mistral",  # its vocabulary of 32,000, v7, in mistral-common 1.13
)
COUNTED = [  # name, text, what each of the tokenizers counts
    (
        "a shell call",
        'Bash {"command": "git diff --stat HEAD~1 -- src/app", "description": "Show what changed"}',
        (25, 25, 26, 25, 25, 25, 27),
    ),
    (
        "a read call",
        'Read {"file_path": "/home/dev/project/internal/store/checkpoint_test.go", "limit": 80, "offset": 240}',
        (28, 28, 33, 30, 31, 31, 39),
    ),
    (
        "an edit call",
        'Edit {"file_path": "src/app/main.py", "old_string": "    return None\\n", "new_string": "    return rows[0] if rows else None\\n"}',
        (38, 38, 46, 38, 38, 38, 46),
    ),
    (
        "code",
        'func (s *Store) Get(ctx context.Context, id string) (*Row, error) {\n\trow, err := s.db.QueryRow(ctx, getSQL, id)\n\tif err != nil {\n\t\treturn nil, fmt.Errorf("get %s: %w", id, err)\n\t}\n\treturn row, nil\n}\n',
        (66, 66, 82, 67, 66, 67, 82),
    ),
    (
        "a listing",
        "   118→\tassert.Equal(t, 118, len(found))\n   119→\tassert.Equal(t, 119, len(found))\n   120→\tassert.Equal(t, 120, len(found))\n   121→\tassert.Equal(t, 121, len(found))\n   122→\tassert.Equal(t, 122, len(found))\n   123→\tassert.Equal(t, 123, len(found))\n   124→\tassert.Equal(t, 124, len(found))\n   125→\tassert.Equal(t, 125, len(found))\n",
        (112, 112, 129, 112, 144, 152, 176),
    ),
    (
        "file names",
        "./cmd/app/main.go\n./internal/store/store.go\n./internal/store/store_test.go\n./docs/how-to/restore.md\n",
        (27, 27, 40, 28, 27, 27, 40),
    ),
    (
        "a test report",
        "=== RUN   TestRestore/empty_database\n--- PASS: TestRestore (0.02s)\n    --- PASS: TestRestore/empty_database (0.00s)\nok  \texample.com/app/internal/store\t0.418s\n",
        (49, 49, 56, 54, 53, 55, 67),
    ),
    (
        "ls -l",
        "-rw-r--r--  1 dev  staff   4096 Jan 15 10:30 internal/checkpoint.go\n-rwxr-xr-x  1 dev  staff  88210 Jan 15 10:31 app\n",
        (53, 53, 48, 50, 64, 64, 66),
    ),
    (
        "json",
        '{"id": "req_0192", "ok": true, "items": [{"name": "first", "size": 10240}, {"name": "second", "size": null}]}',
        (42, 42, 41, 43, 47, 48, 48),
    ),
    (
        "hashes",
        "8d3f2a1b9c4e5d6f7a8b9c0d1e2f3a4b5c6d7e8f HEAD\nf47ac10b-58cc-4372-a567-0e02b2c3d479 main\n",
        (67, 67, 68, 67, 77, 77, 80),
    ),
    (
        "prose",
        "The scheduler claims the oldest pending request, checks its digest, and records the decision before anything runs.",
        (20, 20, 20, 20, 20, 20, 21),
    ),
    (
        "chinese",
        "请先读取配置文件,然后运行测试并检查结果。数据库连接失败时重试三次。",
        (26, 22, 22, 20, 22, 32, 34),
    ),
    (
        "japanese",
        "設定ファイルを読み込み、テストを実行してから結果を確認します。",
        (32, 19, 27, 16, 17, 23, 32),
    ),
    (
        "russian",
        "Сначала прочитайте файл конфигурации, затем запустите тесты.",
        (26, 16, 27, 19, 21, 18, 25),
    ),
    (
        "emoji",
        "✅ 12 passed, ❌ 1 failed 🚀 done in 3.2s",
        (21, 19, 19, 20, 21, 24, 21),
    ),
    (
        "a box",
        "┌──────┬─────┐\n│ name │ n   │\n├──────┼─────┤\n│ main │ 12  │\n└──────┴─────┘\n",
        (48, 47, 49, 45, 40, 48, 53),
    ),
]


@pytest.mark.parametrize(
    ("text", "counts"), [row[1:] for row in COUNTED], ids=[row[0] for row in COUNTED]
)
def test_no_tokenizer_counts_more_than_the_estimate(
    text: str, counts: tuple[int, ...]
) -> None:
    assert estimate(text) >= max(counts)


def test_the_estimate_wastes_less_than_a_quarter_over_calls_and_code() -> None:
    plain = [(text, max(counts)) for _, text, counts in COUNTED if text.isascii()]

    total = sum(estimate(text) for text, _ in plain)

    assert total <= 1.25 * sum(count for _, count in plain)


def test_the_estimate_holds_against_a_tokenizer_that_is_installed() -> None:
    package = pytest.importorskip(
        "bpe_openai", reason="no tokenizer here: bpe-openai is not installed"
    )
    encode = package.get_encoding("o200k_base").encode_ordinary
    text = "\n".join(row[1] for row in COUNTED)

    assert estimate(text) >= len(encode(text))


def test_nothing_costs_nothing() -> None:
    assert estimate("") == 0


TEXTS = st.text(st.characters() | st.sampled_from("aB1 .\n\ud800─→✓漢🚀"))


@given(TEXTS, TEXTS)
def test_the_parts_of_a_text_cost_no_less_than_the_whole(one: str, other: str) -> None:
    assert estimate(one + other) <= estimate(one) + estimate(other) + 1


@given(TEXTS, TEXTS)
def test_more_text_never_costs_less(one: str, other: str) -> None:
    assert max(estimate(one), estimate(other)) <= estimate(one + other)


@pytest.mark.parametrize("letter", ["a", "é", "漢", "🚀", "\ud800", "\0"])
def test_every_letter_costs_something(letter: str) -> None:
    assert estimate(letter * 100) >= 10


def test_the_table_has_a_count_for_every_tokenizer() -> None:
    assert {len(row[2]) for row in COUNTED} == {len(TOKENIZERS)}
