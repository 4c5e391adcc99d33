# SPDX-License-Identifier: GPL-2.0-only
"""Parses the headers of precompiled.h once for the library and the programs, with g++.

The sanitized build compiles without it, and so finds the file that lacks an include. Tests do as
well: at -O1 and with a precompiled header, g++ 12 warns falsely of std::string's operator+.
"""

from pathlib import Path

from waflib import Task, TaskGen, Utils


class precompile(Task.Task):  # noqa: N801, waf's name of a task is its class's
    """A header to a .gch beside it, which g++ takes instead."""

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
    if not hasattr(self.bld, "precompiling"):
        header = write_header(self.bld, self.env.NS3_INCLUDES)
        self.bld.precompiling = self.create_task("precompile", header, header.change_ext(".h.gch"))
        self.bld.precompiling.env.CXXFLAGS = list(self.env.CXXFLAGS)  # as they are before the next
    header = self.bld.precompiling.inputs[0]
    self.env.append_value("CXXFLAGS", ["-Winvalid-pch", "-include", header.bldpath()])
    for task in self.compiled_tasks:
        task.set_run_after(self.bld.precompiling)
        task.dep_nodes.append(header)


def write_header(bld, includes):
    """Write the header, which changes with the list and with each header of ns-3."""
    state = Utils.h_list([path.read_bytes() for path in sorted(Path(includes, "ns3").glob("*.h"))])
    text = f"{bld.path.find_node('.waf-tools/precompiled.h').read()}// ns-3: {state.hex()}\n"
    header = bld.bldnode.make_node("precompiled/precompiled.h")
    if not header.exists() or header.read() != text:
        header.parent.mkdir()
        header.write(text)
    return header
