# SPDX-License-Identifier: GPL-2.0-only
"""The package's programs are linked for older systems, and still start on this one."""

import subprocess
from types import SimpleNamespace

import pytest

import older_system

LIBRARY = """
#include <charconv>
#include <cmath>
#include <dlfcn.h>
#include <exception>
#include <memory>

std::shared_ptr<double> Power(double x, const char* text)
{
    std::from_chars(text, text + 1, x);
    if (!dlopen(nullptr, RTLD_NOW))
    {
        std::rethrow_exception(std::make_exception_ptr(x));
    }
    return std::make_shared<double>(std::pow(x, 2));
}
"""
PROGRAM = """
#include <iostream>
#include <memory>

std::shared_ptr<double> Power(double x, const char* text);
int initialized = 0;

struct Counter
{
    Counter() { initialized++; }
    ~Counter() { std::cout << "end\\n"; }
} counter;

int main(int argc, char** argv)
{
    std::cout << initialized << " " << argc << " " << *Power(0, argv[1]) << "\\n";
}
"""


@pytest.mark.parametrize(
    ("version", "old"),
    [
        ("GLIBC_2.2.5", True),
        ("GLIBC_2.28", True),
        ("GLIBC_2.29", False),
        ("GLIBCXX_3.4.9", True),
        ("GLIBCXX_3.4.29", False),
        ("CXXABI_1.3.13", False),
        ("GLIBC_PRIVATE", False),
        ("XYZ_1", False),
    ],
)
def test_versions_are_compared_as_numbers(version, old):
    assert older_system.is_old(version) == old


def test_a_program_linked_for_older_systems_starts_on_this_one(tmp_path):
    for name, text in [("toy", LIBRARY), ("main", PROGRAM)]:
        (tmp_path / f"{name}.cc").write_text(text)
        words = ["-std=c++20", "-O2", "-fPIC", "-c", tmp_path / f"{name}.cc"]
        subprocess.run(["g++", *words, "-o", tmp_path / f"{name}.o"], check=True)
    env = SimpleNamespace(
        CXX=["g++"],
        LINK_CXX=["g++"],
        LINKFLAGS=["-Wl,--no-undefined"],
        LIBPATH_NS3=[],
        LIB_NS3=[],
    )
    linker = older_system.Linker(env, tmp_path / "made")
    library, program = tmp_path / "out" / "libtoy.so", tmp_path / "out" / "bin" / "main"
    linker.link([tmp_path / "toy.o"], library, [])
    linker.link([tmp_path / "main.o"], program, ["$ORIGIN/.."], library)
    for path in (library, program):
        assert older_system.too_new(path) == []
    said = subprocess.run([program, "3"], text=True, capture_output=True, check=True).stdout
    assert said == "1 2 9\nend\n"


def test_a_program_linked_as_usual_is_refused_where_this_system_is_newer(tmp_path):
    made = tmp_path / "usual.so"
    (tmp_path / "toy.cc").write_text(LIBRARY)
    words = ["-std=c++20", "-O2", "-fPIC", "-shared", tmp_path / "toy.cc", "-o", made]
    subprocess.run(["g++", *words], check=True)
    if not any("pow@GLIBC_2.29" in symbol for symbol in older_system.too_new(made)):
        text = subprocess.run(["objdump", "-T", made], text=True, capture_output=True).stdout
        assert "2.29" not in text


def test_what_cannot_be_linked_is_one_line(tmp_path, capsys):
    (tmp_path / "toy.cc").write_text("void Missing(); void Call() { Missing(); }\n")
    subprocess.run(["g++", "-fPIC", "-c", "toy.cc"], cwd=tmp_path, check=True)
    words = {"CXX": ["g++"], "LINK_CXX": ["g++"], "LINKFLAGS": ["-Wl,--no-undefined"]}
    linker = older_system.Linker(
        SimpleNamespace(**words, LIBPATH_NS3=[], LIB_NS3=[]), tmp_path / "made"
    )
    with pytest.raises(SystemExit):
        linker.link([tmp_path / "toy.o"], tmp_path / "libtoy.so", [])
    assert "libtoy.so cannot be linked for manylinux_2_28" in capsys.readouterr().err
