# SPDX-License-Identifier: GPL-2.0-only
"""[sensitivity.PARAMETER] of a figure.toml: the other values that a parameter is tried with."""

from dataclasses import replace
from typing import Annotated

from pydantic import AfterValidator, Field, FiniteFloat, PrivateAttr, model_validator

from lfn.points import canonical
from lfn.toml_types import Flag, Table, Value, no_double
from lfn.units import scaled


class Sensitivity(Table):
    """A parameter that was fitted or chosen, and other values at which claims are judged.

    Points that name the parameter and have the value are varied. Where no point names it, all are.
    """

    _parameter: str = PrivateAttr("")
    parameter = property(lambda self: self._parameter)
    value: Value = Field(None, description="The value that the figure has.")
    others: Annotated[tuple[Value, ...], AfterValidator(no_double)] = Field(
        (), min_length=1, max_length=4, strict=False, description="One to four other values."
    )
    factors: Annotated[
        tuple[Annotated[FiniteFloat, Field(gt=0)], ...], AfterValidator(no_double)
    ] = Field(
        (),
        min_length=1,
        max_length=4,
        strict=False,
        description="Instead of value and others: each point has its own value times these.",
    )
    also: dict[Flag, Value] = Field(
        default_factory=dict, description="Flags that all these points get, which a value needs."
    )
    printed: bool = Field(
        False, description="The source prints the value: no verdict is `depends` by its others."
    )
    why: str = Field(description="How the value was chosen.")
    claims: tuple[str, ...] = Field(
        (),
        strict=False,
        description="Claims to judge. Without it all that simulation judges and that are no "
        "calibration.",
    )
    series: tuple[str, ...] = Field((), strict=False, description="Series to vary. Without it all.")
    runs: Annotated[int, Field(ge=1)] | None = Field(
        None,
        description="Runs of each varied point. Without it those of the quick preset, whose single "
        "runs of something random decide nothing.",
    )

    @model_validator(mode="after")
    def _values_or_factors(self):
        given = {name for name in ("value", "others", "factors") if name in self.model_fields_set}
        if given not in ({"value", "others"}, {"factors"}):
            raise ValueError("give value and others, or factors alone")
        return self

    @property
    def used(self):
        """The value that the figure has; of factors 1."""
        return 1 if self.factors else self.value

    @property
    def values(self):
        """All values that are judged, the used one first."""
        return (self.used, *(self.factors or self.others))

    def varied(self, point, value):
        """Return a point with one of the values; raises ValueError where it cannot be scaled."""
        text = canonical(value)
        if self.runs:
            point = replace(point, runs=self.runs)
        if self.factors:
            text = scaled(dict(point.args)[self.parameter], value)
        for name, other in self.also.items():
            point = point.with_flag(name, canonical(other))
        return point.with_flag(self.parameter, text)

    def concerns(self, series, point, named):
        """Check whether a point of a series is varied; ``named``: points name the parameter."""
        has = dict(point.args).get(self.parameter)
        if self.factors:
            wanted = has is not None
        else:
            wanted = has == canonical(self.value) if named else has is None
        return wanted and (not self.series or series in self.series)

    def judged(self, figure):
        """Return the claims of a Figure that are judged."""
        return [
            claim
            for claim in figure.claims
            if claim.id in self.claims
            or (not self.claims and not claim.calibration and claim.evidence == "simulation")
        ]
