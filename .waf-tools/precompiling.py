# SPDX-License-Identifier: GPL-2.0-only
"""Parses the headers of precompiled.h once for each level of optimization, with g++.

The sanitized build compiles without it, and so finds the file that lacks an include.
"""

from pathlib import Path

from waflib import Task, TaskGen, Utils


class precompile(Task.Task):  # noqa: N801, waf's name of a task is its class's
    """A header to a .gch next to it, which g++ reads instead."""

    run_str = (
        "${CXX} ${CXXFLAGS} ${CPPPATH_ST:INCPATHS} ${DEFINES_ST:DEFINES} -frandom-seed=precompiled"
        " -x c++-header ${SRC[0].relpath()} -o ${TGT[0].relpath()}"
    )


@TaskGen.feature("cxx")
@TaskGen.after_method("process_source", "apply_incpaths", "propagate_uselib_vars")
@TaskGen.before_method("seed_compiler")
def use_precompiled(self):
    """Compile after the precompiled header and with it, where ``precompiled`` says so."""
    if not (self.env.NS3_INCLUDES and getattr(self, "precompiled", False)):
        return
    flags = [flag for flag in self.env.CXXFLAGS if flag.startswith("-O")]
    level = flags[-1].strip("-") if flags else "O"
    done = self.bld.__dict__.setdefault("precompiled", {})
    if level not in done:
        header = write_header(self.bld, self.env.NS3_INCLUDES, level)
        done[level] = self.create_task("precompile", header, header.change_ext(".h.gch"))
        done[level].env = self.env.derive()
        done[level].env.CXXFLAGS = list(self.env.CXXFLAGS)  # as they are before the next
    header = done[level].inputs[0]
    self.env.append_value("CXXFLAGS", ["-Winvalid-pch", "-include", header.bldpath()])
    for task in self.compiled_tasks:
        task.set_run_after(done[level])
        task.dep_nodes.append(header)


def write_header(bld, includes, level):
    """Write the header, which changes with the list and with each header of ns-3."""
    state = Utils.h_list([path.read_bytes() for path in sorted(Path(includes, "ns3").glob("*.h"))])
    text = f"{bld.path.find_node('.waf-tools/precompiled.h').read()}// ns-3: {state.hex()}\n"
    header = bld.bldnode.make_node(f"precompiled/{level}/precompiled.h")
    if not header.exists() or header.read() != text:
        header.parent.mkdir()
        header.write(text)
    return header
