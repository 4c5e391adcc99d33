# SPDX-License-Identifier: GPL-2.0-only
"""./waf wheel: library, programs, pipeline, documents and dissectors as one package for pip.

The package's folder lfn holds the modules of analysis/lfn and a folder home/, laid out as the
clone is, which lfn/places.py finds. Programs and library find ns-3 next to lfn in site-packages.
"""

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import older_system
from commands import docs
from requirements import HOME, die, require

# Next to the modules of analysis/lfn: what running, drawing and converting need; patterns.
SHIPPED = (
    ".waf-tools/requirements/ns3.txt",
    "LICENSE",
    "CITATION.cff",
    "analysis/Snakefile",
    "analysis/convert_topology.py",
    "analysis/draw_figure.py",
    "analysis/figures",
    "analysis/figures.py",
    "analysis/notebooks/exercises.ipynb",
    "analysis/profiles",
    "analysis/run_point.py",
    "analysis/served.py",
    "analysis/snakemake_logger_plugin_lfn",
    "analysis/snakemake_run.py",
    "analysis/stored/*/verdicts.csv",
    "analysis/write_report.py",
    "doc/deviations",
    "doc/wireshark",
    "examples/links",
)
# What these import, and the program snakemake; versions from analysis.txt on, below the next major.
IMPORTED = """
Jinja2
MarkupSafe
PyYAML
markdown-it-py
matplotlib
networkx
numpy
pandas
pillow
pydantic
scipy
snakemake
snakemake-interface-logger-plugins
tqdm
""".split()
# Of the extra: the first two as notebook.txt pins them, and Jupyter's pages, which students open.
NOTEBOOK = ("ipykernel", "nbclient")
PAGES = "notebook>=7,<8"
NOT_SHIPPED = ("lfn-test-runner", "lfn-bench-baseline", "lfn-bench-peers", "udt-original-runner")


def read_pins(group):
    """Return {package: version} of a list of requirements."""
    text = (HOME / ".waf-tools" / "requirements" / f"{group}.txt").read_text()
    return dict(line.split("==") for line in text.split())


def below_next_major(name, pinned):
    """Return the requirement of a package from its pinned version on."""
    return f"{name}>={pinned},<{int(pinned.split('.')[0]) + 1}"


def metadata(version, programs):
    """Return {file name: text} of what pip reads."""
    pins = read_pins("analysis")
    ns3 = read_pins("ns3")["ns3"]
    notebook = read_pins("notebook")
    needs = [below_next_major(name, pins[name]) for name in IMPORTED]
    extra = [*(below_next_major(name, notebook[name]) for name in NOTEBOOK), PAGES]
    about = [
        "Metadata-Version: 2.1",
        "Name: lfn",
        f"Version: {version}",
        "Summary: Transports for long fat networks in ns-3: programs, figures, dissectors",
        "License: GPL-2.0-only",
        "Requires-Python: >=3.11,<3.14",
        *(f"Requires-Dist: {need}" for need in needs),
        # Asked for in general, ns3 brings Python bindings that pip compiles; nothing here needs
        # them, so it is installed by itself, without its dependencies.
        "Provides-Extra: ns3",
        f'Requires-Dist: ns3=={ns3}; extra == "ns3"',
        "Provides-Extra: notebook",
        *(f'Requires-Dist: {need}; extra == "notebook"' for need in extra),
        "Description-Content-Type: text/plain",
        "",
        f"Needs ns-3 in the same environment: python -m pip install --no-deps ns3=={ns3}",
        "Then: rbudp-transfer --bytes=20MB, or: lfn --help",
    ]
    wheel = [
        "Wheel-Version: 1.0",
        "Generator: lfn",
        "Root-Is-Purelib: false",
        f"Tag: py3-none-{older_system.PLATFORM}_{platform.machine()}",
    ]
    entries = ["[console_scripts]", "lfn = lfn.__main__:main"]
    entries += [f"{name} = lfn.__main__:program" for name in programs]
    texts = {"METADATA": about, "WHEEL": wheel, "entry_points.txt": entries}
    return {name: "\n".join(lines) + "\n" for name, lines in texts.items()}


def copy(source, target, *left_out):
    """Copy a file or a folder, without hidden files and what Python compiled."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        ignored = shutil.ignore_patterns("__pycache__", ".*", *left_out)
        shutil.copytree(source, target, ignore=ignored)
    else:
        shutil.copy(source, target)


def link(env, folder, target, libraries, objects):
    """Link the libraries and then the programs in target, {name: objects}, for older systems.

    They look for ns-3 and liblfn relative to themselves; ``libraries``: where ns-3 is there.
    """
    linker = older_system.Linker(env, folder)
    library = target / "liblfn.so"
    for name, own in objects.items():
        made = target / (name if "/" in name else f"lib{name}.so")
        places = [f"$ORIGIN/{os.path.relpath(libraries, made.parent)}"]
        if made == library:
            linker.link(own, made, places)
        elif made.suffix:
            linker.link(own, made, [*places, "$ORIGIN"], library, more=env.LIB_NETANIM)
        else:
            linker.link(own, made, [*places, "$ORIGIN/.."], library)


def wheel(env, out, version, objects):
    """Make build/wheel/lfn-VERSION-*.whl of a finished build against the ns3 package.

    ``objects``: those of "lfn" and of each program, {target: [path, ...]}.
    """
    site = Path(sysconfig.get_path("platlib"))
    libdir = (env.LIBPATH_NS3 or [""])[0]
    if not libdir or not Path(libdir).is_relative_to(site):
        die("wheel: built against another ns-3 than the package ns3; run './waf configure' first")
    if not Path(out, "bin", "rbudp-transfer").is_file():
        die("wheel: a build with --sanitize has no programs; leave that option away")
    require("wheel")
    docs(out, api=False)
    folder = Path(out, "wheel")
    shutil.rmtree(folder, ignore_errors=True)
    stage = folder / "stage"
    package = stage / "lfn"
    home = package / "home"
    copy(HOME / "analysis" / "lfn", package)
    for pattern in SHIPPED:
        sources = sorted(HOME.glob(pattern))
        if not sources:
            die(f"wheel: there is no {pattern}")
        for source in sources:
            copy(source, home / source.relative_to(HOME))
    copy(Path(out, "docs"), home / "build" / "docs", "api")
    programs = sorted(Path(name).name for name in objects if name.startswith("bin/"))
    programs = [name for name in programs if name not in NOT_SHIPPED]
    own = [name for name in ("lfn", "lfn-netanim") if name in objects]
    wanted = {name: objects[name] for name in [*own, *(f"bin/{name}" for name in programs)]}
    libraries = stage / Path(libdir).relative_to(site)
    link(env, folder / "older", home / "build", libraries, wanted)
    for name, text in metadata(version, programs).items():
        about = stage / f"lfn-{version}.dist-info" / name
        about.parent.mkdir(exist_ok=True)
        about.write_text(text)
    pack = [sys.executable, "-m", "wheel", "pack", stage, "--dest-dir", folder]
    # Equal builds make equal packages: the time of every file is the first that zip can write.
    dated = dict(os.environ, SOURCE_DATE_EPOCH="315532800")
    subprocess.run(pack, check=True, stdout=subprocess.DEVNULL, env=dated)
    shutil.rmtree(stage)
    shutil.rmtree(folder / "older")
    made = next(folder.glob("*.whl"))
    shown = os.path.relpath(made, HOME)
    print(f"{shown}, {made.stat().st_size / 1e6:.1f} MB; to install it, without a compiler:")
    print(f'  python3 -m pip install "{shown}[notebook]"')
    print(f"  python3 -m pip install --no-deps ns3=={read_pins('ns3')['ns3']}")
