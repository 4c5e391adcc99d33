# SPDX-License-Identifier: GPL-2.0-only
"""The JSON schema, the documentation and the models of figure.toml say the same."""

import copy
import json
import os
import re
import subprocess
import sys
import tomllib

import jsonschema
import pytest

from conftest import ANALYSIS
from lfn.schema import TABLES, reference, schema

TEXTS = {path.parent.name: path for path in (ANALYSIS / "figures").glob("*/figure.toml")}
VALID = {
    "id": "toy",
    "title": "T",
    "program": "p",
    "args": {"rtt": "1ms", "on": True},
    "sweep": {"lossRate": {"tiny": [0], "quick": [0], "full": [0, 0.1]}},
    "runs": {"tiny": 1, "quick": 2, "full": 3},
    "claims": {"c": {"statement": "S", "low": 1, "at": {"rtt": "1ms"}, "half_width": 0.1}},
}


def mistakes(data):
    return list(jsonschema.Draft202012Validator(schema()).iter_errors(data))


def test_the_schema_is_json_and_takes_every_figure():
    env = {**os.environ, "PYTHONPATH": str(ANALYSIS)}
    command = [sys.executable, "-m", "lfn", "schema"]
    said = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    assert "Infinity" not in said
    assert json.loads(said) == schema()
    jsonschema.Draft202012Validator.check_schema(schema())
    wrong = {n: mistakes(tomllib.loads(p.read_text(encoding="utf-8"))) for n, p in TEXTS.items()}
    assert len(wrong) > 50
    assert {name: found for name, found in wrong.items() if found} == {}
    assert mistakes(VALID) == []


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("colour",), 1),
        (("title",), 3),
        (("args", "rtt"), ["1ms"]),
        (("sweep", "lossRate"), 0.1),
        (("sweep", "lossRate"), {"fast": [1]}),
        (("runs",), "3"),
        (("random",), 1),
        (("claims", "c", "band"), "mine"),
        (("claims", "c", "low"), "1"),
        (("claims", "c", "half_width"), "1"),
    ],
)
def test_the_schema_refuses_what_the_models_refuse(keys, value):
    data = copy.deepcopy(VALID)
    place = data
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    assert mistakes(data) != []


def test_the_documentation_has_every_key_of_the_models():
    page = (ANALYSIS.parent / "doc/generated/figure-keys.rst").read_text()
    assert page.endswith(reference()), "./waf docs makes it again"
    tables = re.split(r"^\.\. csv-table:: ", page, flags=re.M)[1:]
    for table, (model, title) in zip(tables, TABLES, strict=True):
        assert table.startswith(title + "\n")
        fields = model.model_fields.items()
        keys = [field.alias or name for name, field in fields]
        assert re.findall(r'^   "``(\w+)``"', table, re.M) == keys
        assert all(len(field.description) > 5 for _, field in fields), title
