# SPDX-License-Identifier: GPL-2.0-only
"""Residual loss of twelve codes at two losses, and the law."""

from lfn.figures.published import LEVEL, tag
from lfn.figures.quanta import CODES, residual_rows
from lfn.models import quanta as model
from lfn.results import means
from lfn.style import new_figure, plot_band, style


def draw(results):
    figure, panels = new_figure(8.8, 4.8, ncols=2)
    order = sorted(CODES, key=lambda code: (code[1] / code[0], code[0]))
    tables = []
    for code in CODES:
        table = means(residual_rows(results, code), "--lossRate", "residual")
        table = table.rename(columns={"--lossRate": "loss"}).assign(k=code[0], m=code[1])
        tables.append(table.assign(law=model.residual_loss(table["loss"], *code)))
    printed = results.printed("residual")
    for axes, (_, row) in zip(panels, printed.iterrows(), strict=True):
        loss = row["x"] / 100
        for place, code in enumerate(order):
            law = 100 * model.residual_loss(loss, *code)
            label = "exact law" if place == 0 else "_"
            axes.plot([place - 0.35, place + 0.35], [law, law], **style("model", label))
            part = tables[CODES.index(code)]
            part = part[abs(part["loss"] - loss) < 1e-9]
            percent = 100 * part[["mean", "low", "high"]]
            label = "measured" if place == 0 else "_"
            plot_band(axes, [place] * len(part), percent, "fec-3", label, linestyle="none")
        level = axes.axhline(row["value"], **style("published", "reported, k and m unknown"))
        level.set(linestyle=LEVEL, marker="None")
        tag(level, results, "none-meets-both")
        axes.set_xticks(range(len(order)), [f"{k}, {m}" for k, m in order], rotation=60)
        axes.set(yscale="log", xlabel="datagrams of data, of parity a block (k, m)")
        axes.set_title(f"{row['x']:g} % of the datagrams lost")
    panels[0].set(ylim=(3e-4, 2), ylabel="residual loss (%)")
    panels[1].set(ylim=(0.1, 30))
    panels[0].legend(loc="upper right")
    return figure, tables
