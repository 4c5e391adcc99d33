# SPDX-License-Identifier: GPL-2.0-only
"""A campaign of the user's own: figures and programs outside this repository.

A folder with figures, and beside them a campaign.toml where something is not as usual:

    title = "My report"          # heading of the report page
    name = "mine"                # its folder in build/campaigns; default: the folder's name
    figures = "figures"          # where the figures' folders are; default: beside campaign.toml
    [programs]
    my-transfer = "bin/my-transfer"    # programs that are not in build/bin
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from lfn.files import read_json, to_json, write_if_changed
from lfn.spec import SpecError, Table

_NAME = re.compile(r"[a-z0-9]+([._-][a-z0-9]+)*")


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
    data = {}
    if file.is_file():
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SpecError(f"{file}: is not TOML: {error}") from error
    elif not path.is_dir():
        raise SpecError(f"--campaign={given}: no such folder or file")
    table = Table(data, str(file), "")
    name = table.take("name", str, folder.name.lower().replace(" ", "-"))
    if not _NAME.fullmatch(name):
        raise table.error("name", f"'{name}' must be lower-case words joined by '-'")
    programs = table.take("programs", dict, {})
    for program, where in programs.items():
        if not isinstance(where, str):
            raise table.error(f"programs.{program}", "must be a path")
    figures = folder / table.take("figures", str, ".")
    title = table.take("title", str, folder.name)
    table.end()
    if not any(figures.glob("*/figure.toml")):
        raise SpecError(f"--campaign={given}: no folder with a figure.toml in {figures}")
    found = {program: (folder / where).resolve() for program, where in programs.items()}
    return UserCampaign(str(given), name, title, figures.resolve(), found)
