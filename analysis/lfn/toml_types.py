# SPDX-License-Identifier: GPL-2.0-only
"""What a value of a TOML file may be: tables without unknown keys, names, flags, presets."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    PrivateAttr,
    ValidationInfo,
    WithJsonSchema,
)

Preset = Literal["tiny", "quick", "full"]
PRESETS = get_args(Preset)
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FLAG = re.compile(r"[A-Za-z][A-Za-z0-9:.]*")


class SpecError(Exception):
    """A figure.toml that cannot be used; the text is one line: file, key, remedy."""


class Table(BaseModel):
    """A table of a TOML file in ``folder``: nothing unknown, no value of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    _folder: Path | None = PrivateAttr(None)
    folder = property(lambda self: self._folder)

    def model_post_init(self, context):
        """Note where the file lies."""
        self._folder = context


def refused_unless(accept, words):
    """Return a validator that raises ``words`` of a value that ``accept`` does not take."""

    def check(value):
        if not accept(value):
            raise ValueError(words.format(value))
        return value

    return AfterValidator(check)


def no_double(values):
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"'{value}' stands there twice")
    return values


def _spread(value):
    return value if isinstance(value, dict) else dict.fromkeys(PRESETS, value)


def _complete(values, info: ValidationInfo):
    for preset in info.data.get("presets", ()):
        if preset not in values:
            raise ValueError(f"has no value for preset {preset}")
    return values


def each(kind):
    """Return the type of a value of ``kind``, or of a table of them, as {preset: value}."""
    spread = BeforeValidator(_spread, json_schema_input_type=kind | dict[Preset, kind])
    return Annotated[dict[Preset, kind], spread, AfterValidator(_complete)]


def _is_scalar(value):
    return isinstance(value, str | int | float)


Name = Annotated[str, refused_unless(NAME.fullmatch, "'{}' must be lower-case words joined by '-'")]
Flag = Annotated[str, refused_unless(_FLAG.fullmatch, "is not a flag's name (no dashes)")]
_SCALAR = {"type": ["string", "number", "boolean"]}
Value = Annotated[
    Any,
    refused_unless(_is_scalar, "must be a text, a number or a switch"),
    WithJsonSchema(_SCALAR),
]
Values = Annotated[
    Any,
    WithJsonSchema({"type": "array", "items": _SCALAR, "minItems": 1}),
    refused_unless(
        lambda value: isinstance(value, list) and value and all(map(_is_scalar, value)),
        "must be a list of at least one value",
    ),
]
Chance = Annotated[
    Any,
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "boolean"},
                {"type": "object", "additionalProperties": {"type": "array"}},
            ]
        },
    ),
    refused_unless(
        lambda value: (
            isinstance(value, bool)
            or (isinstance(value, dict) and all(isinstance(one, list) for one in value.values()))
        ),
        "must be false, or a table of flags with lists of their values",
    ),
]
Seconds = Annotated[FiniteFloat, Field(gt=0)]
Text = Annotated[
    str,
    BeforeValidator(
        lambda v: str(v) if _is_scalar(v) else v, json_schema_input_type=str | int | float
    ),
]
Origin = Literal["paper", "derived", "own", "literature"]
Presets = Annotated[
    tuple[Preset, ...],
    Field(strict=False),
    AfterValidator(lambda given: tuple(preset for preset in PRESETS if preset in given)),
]
