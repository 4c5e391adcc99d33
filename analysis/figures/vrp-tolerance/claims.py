# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP without any loss accepted; one function per claim."""

import pandas as pd
from scipy.stats import spearmanr

from lfn.average import extreme, measured, over_runs
from lfn.figures import claim
from lfn.figures.vrp import over_paths, table1_paths, with_rate


def _ratios(results, over, under):
    """{path: Average of one series' rate over another's}."""
    paths = table1_paths(results)
    pairs = zip(over_paths(results, over, paths), over_paths(results, under, paths), strict=True)
    return dict(zip(paths["path"], (a / b for a, b in pairs), strict=True))


# No loss accepted over 25 % accepted.
equal_to_thirty_slower = claim(_ratios, "reliable", "accepting")


def up_to_eight(results):
    """Largest of VRP without loss accepted over TCP."""
    path, ratio = extreme(max, _ratios(results, "reliable", "tcp"))
    return measured(ratio, f"on {path}")


worst_case = claim(_ratios, "reliable", "tcp")  # VRP without loss accepted over TCP


def worst_ratio(results):
    """Smallest of VRP without loss accepted over TCP."""
    path, ratio = extreme(min, _ratios(results, "reliable", "tcp"))
    return measured(ratio, f"on {path}")


def slower_with_loss(results):
    """Rank correlation over the paths of loss and of the rate without loss accepted, by run."""
    keys = ["--linkRate", "--lossRate", "run"]
    both = [
        with_rate(results.rows(series)).groupby(keys)["rate"].first()
        for series in ("reliable", "accepting")
    ]
    table = (both[0] / both[1]).dropna().rename("ratio").reset_index()
    loss = table["--lossRate"].astype(float)
    return over_runs(
        pd.Series(
            {
                run: spearmanr(loss[part.index], part["ratio"]).statistic
                for run, part in table.groupby("run")
            }
        ),
        2 * len(table),
    )
