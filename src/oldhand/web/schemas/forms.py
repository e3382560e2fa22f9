"""The forms that the schemas are made of."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FREE: Schema = {"type": "object"}
WHOLE: Schema = {"type": "integer"}
TRUTH: Schema = {"type": "boolean"}
ID: Schema = {"type": "string", "pattern": "^[0-9a-hjkmnp-tv-z]{26}$"}
DIGEST: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
KIND: Schema = {"type": "string", "enum": ["agent", "person", "service"]}


def or_null(schema: Schema) -> Schema:
    """Return the schema of a value that may be null."""
    return {"anyOf": [schema, {"type": "null"}]}


def object_of(needed: Schema, **more: Schema) -> Schema:
    """Return the schema of an object of an answer: these fields must be there."""
    return {
        "type": "object",
        "properties": {**needed, **more},
        "required": list(needed),
        "additionalProperties": False,
    }


def list_of(name: str, schema: str, **more: Schema) -> Schema:
    """Return the schema of a counted list of what another schema describes, and more."""
    items = {"type": "array", "items": {"$ref": f"#/components/schemas/{schema}"}}
    return object_of({"count": WHOLE, name: items, **more})


def sent_object(needed: Schema, **more: Schema) -> Schema:
    """Return the schema of an object that is sent: null is as good as left out."""
    optional = {name: or_null(schema) for name, schema in more.items()}
    return object_of(needed, **optional)


def text_of(most: int) -> Schema:
    """Return the schema of a text that is sent, of at most so many characters."""
    return {"type": "string", "maxLength": most, "pattern": r"^[^\x00]*$"}
