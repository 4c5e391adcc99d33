# SPDX-License-Identifier: GPL-2.0-only
"""A campaign of the user's own: figures and programs outside this repository.

A folder with figures, and a campaign.toml for what differs from the defaults:

    title = "My report"          # heading of the report page
    name = "mine"                # its folder in build/campaigns; default: the folder's name
    figures = "figures"          # where the figures' folders are; default: next to campaign.toml
    [programs]
    my-transfer = "bin/my-transfer"    # programs that are not in build/bin
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from lfn.files import read_json, to_json, write_if_changed
from lfn.spec import SpecError, Table, check, read_toml, refused_unless

_NAME = re.compile(r"[a-z0-9]+([._-][a-z0-9]+)*")


class Settings(Table):
    """A campaign.toml."""

    title: str
    name: Annotated[
        str, refused_unless(_NAME.fullmatch, "'{}' must be lower-case words joined by '-'")
    ]
    figures: str = "."
    programs: dict[str, str] = {}


@dataclass(frozen=True)
class UserCampaign:
    """Where the figures and the programs of a campaign are; ``given`` is how the user named it."""

    given: str
    name: str
    title: str
    figures: Path
    programs: dict

    def prepare(self, build, wanted):
        """Make build/campaigns/<name> with links to the ``wanted`` programs and return it.

        It is a build folder as far as a campaign goes. Raises SpecError.
        """
        target = build / "campaigns" / self.name
        owner = read_json(target / "campaign.json")
        if owner is not None and owner["figures"] != str(self.figures):
            raise SpecError(
                f"{self.given}: the name '{self.name}' is taken by the campaign of "
                f'{owner["figures"]}; give it another in campaign.toml: name = "..."'
            )
        links = {}
        for program in wanted:
            source = self.programs.get(program, build / "bin" / program)
            if not source.is_file():
                known = program in self.programs
                raise SpecError(
                    f"{self.given}: program {program}: {source} is no file"
                    if known
                    else f"{self.given}: program {program} is neither in {build / 'bin'} nor "
                    "under [programs] of campaign.toml"
                )
            links[program] = source
        write_if_changed(target / "campaign.json", to_json({"figures": str(self.figures)}))
        (target / "bin").mkdir(exist_ok=True)
        for program, source in links.items():
            link = target / "bin" / program
            if not link.is_symlink() or link.readlink() != source:
                link.unlink(missing_ok=True)
                link.symlink_to(source)
        return target


def load_campaign(given):
    """Read a campaign: a folder, or a TOML file like campaign.toml; raises SpecError."""
    path = Path(given)
    folder, file = (path, path / "campaign.toml") if path.is_dir() else (path.parent, path)
    folder = folder.resolve()
    if not path.is_dir() and not file.is_file():
        raise SpecError(f"--campaign={given}: no such folder or file")
    usual = {"title": folder.name, "name": folder.name.lower().replace(" ", "-")}
    data = read_toml(file, file) if file.is_file() else {}
    settings = check(Settings, {**usual, **data}, file)
    figures = folder / settings.figures
    if not any(figures.glob("*/figure.toml")):
        raise SpecError(f"--campaign={given}: no folder with a figure.toml in {figures}")
    found = {program: (folder / path).resolve() for program, path in settings.programs.items()}
    return UserCampaign(str(given), settings.name, settings.title, figures.resolve(), found)
