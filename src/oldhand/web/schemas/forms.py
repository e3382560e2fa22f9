"""The forms that the schemas are made of."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FREE: Schema = {"type": "object"}
WHOLE: Schema = {"type": "integer"}
TRUTH: Schema = {"type": "boolean"}
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


def list_of(name: str, schema: str) -> Schema:
    """Return the schema of a counted list of what another schema describes."""
    items = {"type": "array", "items": {"$ref": f"#/components/schemas/{schema}"}}
    return object_of({"count": WHOLE, name: items})
