# SPDX-License-Identifier: GPL-2.0-only
"""What a figure.toml may hold, from the models of lfn.spec: a JSON schema, and tables of reST.

python -m lfn schema > figure.schema.json
"""

import json
import math
import sys

from lfn.sensitivity_block import Sensitivity
from lfn.spec import Claim, Figure, Series

TABLES = (
    (Figure, "Keys of figure.toml"),
    (Series, "Keys of [[points]]"),
    (Claim, "Keys of [claims.NAME]"),
    (Sensitivity, "Keys of [sensitivity.PARAMETER]"),
)
_KINDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true, false",
    "object": "table",
    "array": "list",
}


def schema():
    """Return the JSON schema of a figure.toml."""
    made = Figure.model_json_schema()
    for part in (made, *made["$defs"].values()):
        part.pop("title", None)
        for one in part.get("properties", {}).values():
            one.pop("title", None)
            if one.get("default", "") in (None, math.inf, -math.inf):  # which JSON has not
                del one["default"]
    # What [[points]] leaves out, the head says.
    made["$defs"]["Series"]["required"].remove("program")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "figure.toml",
        **made,
    }


def kind(part):
    """Return what a key takes, in words, of its JSON schema."""
    if "enum" in part:
        return ", ".join(map(str, filter(None, part["enum"])))
    if "anyOf" in part:
        return " or ".join(
            dict.fromkeys(kind(one) for one in part["anyOf"] if one.get("type") != "null")
        )
    if "$ref" in part:
        return "table"
    types = part.get("type", "object")
    if isinstance(types, list):
        return "value"
    if types == "array" and "$ref" in part.get("items", {}):
        return "list of tables"
    return _KINDS[types]


def _default(name, part, required):
    if name in required:
        return "required"
    given = part.get("default")
    if given in ("", [], {}, None) or isinstance(given, list | dict):
        return ""
    return f"``{given if isinstance(given, str) else json.dumps(given)}``"


def reference():
    """Return the keys of each table as csv-tables of reST: key, what it takes, default, what."""
    made = schema()
    parts = {"Figure": made, **made["$defs"]}
    lines = []
    for model, title in TABLES:
        part = parts[model.__name__]
        lines += [f".. csv-table:: {title}", "   :header: key, takes, default, what"]
        lines += ["   :widths: 14 18 12 56", ""]
        for name, one in part["properties"].items():
            what = one["description"].replace("`", "``")
            cells = [f"``{name}``", kind(one), _default(name, one, part.get("required", [])), what]
            lines.append("   " + ", ".join('"' + cell.replace('"', '""') + '"' for cell in cells))
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(reference())
