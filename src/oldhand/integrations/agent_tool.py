"""A tool as a model is told of it, in the forms that providers take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from oldhand.integrations.tool_arguments import Argument, schema_of


@dataclass(frozen=True)
class AgentTool:
    """What a model is told of a tool.

    Attributes:
        name: By which it is called.
        description: What it is for.
        arguments: What it takes; `action` is needed.
    """

    name: str
    description: str
    arguments: Mapping[str, Argument]

    @property
    def parameters(self) -> dict[str, Any]:
        """The JSON schema of its arguments, a new dict each time."""
        return schema_of(self.arguments, required=["action"])

    def for_openai(self) -> dict[str, Any]:
        """Return it as an entry of `tools` in Chat Completions."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
        }
        return {"type": "function", "function": function}

    def for_anthropic(self) -> dict[str, Any]:
        """Return it as an entry of `tools` in Messages."""
        return {
            "name": self.name,
            "description": self.description,
            "input_schema": self.parameters,
        }
