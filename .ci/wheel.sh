#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The package of ./waf wheel in an empty environment that sees no compiler: what a user does with
# it, and what a wrong use says. Ends with one line, N passed, N failed.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

# check NAME COMMAND...: one check, in the folder of the user.
check() {
    local name=$1 begin=$SECONDS
    shift
    if (cd "$folder/user" && "$@") >"$folder/said" 2>&1; then
        echo "PASS $name, $((SECONDS - begin)) s"
        passed=$((passed + 1))
    else
        echo "FAIL $name, $((SECONDS - begin)) s"
        tail -n 12 "$folder/said"
        failed=$((failed + 1))
    fi
}

# refuses TEXT COMMAND...: status 1 and one line that holds the text.
refuses() {
    local text=$1 said status
    shift
    said=$("$@" 2>&1 >/dev/null </dev/null)
    status=$?
    echo "$said"
    [ $status -eq 1 ] && [ "$(wc -l <<<"$said")" -eq 1 ] && grep -qF -- "$text" <<<"$said"
}

built=$(sha256sum build/bin/* build/liblfn.so)
./waf wheel || exit 1
package=$(echo "$PWD"/build/wheel/lfn-*.whl)
pin=$(cat .waf-tools/requirements/ns3.txt)
line=$(sed -n 's/^ *\(pip install ".*\[notebook\]"\)$/\1/p' doc/teach.rst)
home=$PWD
mkdir "$folder/user"

same_build() { [ "$built" = "$(cd "$home" && sha256sum build/bin/* build/liblfn.so)" ]; }
same_package() {
    cp "$package" "$folder/first.whl" && (cd "$home" && ./waf wheel) && cmp "$package" "$folder/first.whl"
}
no_place_of_the_clone() {
    # Neither in a text nor in a program.
    python -c 'import pathlib, sys; import lfn; home = sys.argv[1].encode()
found = [p for p in pathlib.Path(lfn.__file__).parent.rglob("*")
         if p.is_file() and p.suffix != ".pyc" and home in p.read_bytes()]
sys.exit(str(found) if found else 0)' "$home"
}
no_ns3_of_elsewhere() {
    # shellcheck disable=SC2016
    ldd "$folder"/venv/lib/python3*/site-packages/lfn/home/build/bin/* |
        awk '/libns3|liblfn/ { n++; if (index($3, "'"$folder"'") != 1) { print; bad = 1 } }
             END { exit bad || !n }'
}
a_sweep() {
    python - <<'PYTHON'
import lfn

runs = lfn.run("rbudp-transfer", bytes="200kB", sendRate="5Mbps", lossRate=[0, 0.01], runs=2)
assert len(runs.summary) == 4 and set(runs.summary["completed"]) == {1}, runs.summary
try:
    lfn.run("rbudp-transfr")
except Exception as error:
    assert "no such program; there are" in str(error), error
else:
    raise SystemExit("a wrong name was taken")
PYTHON
}
a_figure() {
    lfn figures --only=rbudp-fig7 --tiny && head -n 2 lfn-build/figures/verdicts.csv &&
        [ -s lfn-build/figures/rbudp-fig7/rbudp-fig7.svg ] && [ -s lfn-build/report/index.html ]
}
a_notebook() {
    mkdir class && cd class && lfn notebook && refuses "exercises.ipynb exists" lfn notebook &&
        jupyter execute --output=done.ipynb exercises.ipynb && [ -d lfn-build ] &&
        python - <<'PYTHON'
import json

cells = json.load(open("done.ipynb"))["cells"]
assert all(cell["execution_count"] for cell in cells if cell["cell_type"] == "code")
shown = [out.get("data", {}) for cell in cells for out in cell.get("outputs", [])]
assert any("image/png" in data for data in shown)
PYTHON
}
the_documents() {
    # The browser is echo: the path, and the address that it gets.
    local said
    mapfile -t said < <(BROWSER=echo lfn docs)
    [ ${#said[@]} -eq 2 ] && [ -s "${said[0]}" ] && [ "${said[1]}" = "file://${said[0]}" ] &&
        [ ! -e "${said[0]%/*}/api" ]
}
as_the_build() {
    rbudp-transfer --bytes=2MB --lossRate=0.01 --outputDir=installed &&
        "$home/build/bin/rbudp-transfer" --bytes=2MB --lossRate=0.01 --outputDir=built &&
        cmp installed/summary.csv built/summary.csv
}
# The C and C++ libraries of Debian 11, glibc 2.31, where the machine's mirror has them.
older_libraries() {
    local mirror name get=(/usr/lib/apt/apt-helper -o APT::Sandbox::User=root download-file)
    mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
        awk '$1 == "Debian" { sub("/$", "", $2); print $2; exit }')
    "${get[@]}" "$mirror/dists/bullseye/main/binary-amd64/Packages.xz" "$folder/list.xz" || return 1
    for name in libc6 libstdc++6 libgcc-s1; do
        "${get[@]}" "$mirror/$(xz -dc "$folder/list.xz" | awk -v name=$name '
            $1 == "Package:" { here = $2 == name } here && $1 == "Filename:" { print $2 }')" \
            "$folder/$name.deb" && dpkg-deb -x "$folder/$name.deb" "$folder/older" || return 1
    done
}
on_an_older_system() {
    local name lib=$folder/older/lib/x86_64-linux-gnu
    local run=("$lib"/ld-*.so --library-path "$lib:$folder/older/usr/lib/x86_64-linux-gnu")
    local programs=("$folder"/venv/lib/python3*/site-packages/lfn/home/build/bin)
    for name in $(lfn programs); do
        "${run[@]}" "${programs[0]}/$name" --PrintHelp >/dev/null || return 1
    done
    "${run[@]}" "${programs[0]}/rbudp-transfer" --bytes=2MB --lossRate=0.01 --outputDir=older &&
        cmp installed/summary.csv older/summary.csv
}
# find_python VERSION: the path of one that can make environments; on PATH, or pyenv's.
find_python() {
    local path
    for path in "$(command -v "python$1")" "$(pyenv root 2>/dev/null)/versions/$1".*/bin/python; do
        "$path" -c 'import ensurepip, sys; print(sys.executable)' 2>/dev/null && return
    done
}
# with_python VERSION PATH: installation, a program, a sweep and a figure in a folder of its own.
with_python() {
    "$2" -m venv "$folder/venv-$1" && mkdir "$1" && cd "$1" || return 1
    export PATH=$folder/venv-$1/bin:$folder/tools
    python -m pip install --quiet --no-compile "$package" &&
        python -m pip install --quiet --no-compile --no-deps "$pin" &&
        rbudp-transfer --bytes=200kB && a_sweep && a_figure
}
every_program() {
    local name
    for name in $(lfn programs); do "$name" --PrintHelp >/dev/null || return 1; done
}

check "the build's own programs are as before" same_build
check "equal builds make equal packages" same_package
python=$(readlink -f .venv/bin/python)
"$python" -m venv "$folder/venv"
older=no
if older_libraries >"$folder/said" 2>&1; then older=yes; fi
declare -A others # version: its Python, of those that this one is not
for version in 3.11 3.12 3.13; do
    others[$version]=$(find_python $version)
done
unset "others[$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')]"
mkdir "$folder/tools"
for tool in bash sh awk cat cmp cp echo grep head ldd ls mkdir rm sha256sum sort tail uname wc; do
    ln -s "$(type -P "$tool")" "$folder/tools/$tool"
done
export PATH=$folder/venv/bin:$folder/tools
unset PYTHONPATH CC CXX LD_LIBRARY_PATH
check "there is no compiler" eval '! command -v cc gcc g++ clang c++'
cp "$package" "$folder/user"
check "the line of doc/teach.rst installs the package" eval "${line:-false} --quiet"
check "without ns-3 a program says so" refuses "pip install --no-deps $pin" rbudp-transfer
check "without ns-3 figures say so" refuses "pip install --no-deps $pin" lfn figures --plan
check "pip installs ns-3 alone" python -m pip install --quiet --no-deps "$pin"
check "ns-3 is taken from next to the package" no_ns3_of_elsewhere
check "nothing reports where it was built" no_place_of_the_clone
check "every program starts" every_program
check "a scenario as the build's own program runs it" as_the_build
if [ $older = yes ]; then
    check "the same scenario on Debian 11" on_an_older_system
else
    echo "no libraries of Debian 11 on this machine's mirror: not tested with them"
fi
check "python -m lfn run" python -m lfn run vrp-transfer --bytes=200kB --flows=1
check "a wrong program is refused" refuses "no program 'vrp'" lfn run vrp
check "a wrong flag is refused" refuses "--rtt=100" rbudp-transfer --rtt=100
check "a sweep in Python" a_sweep
check "a figure" a_figure
check "a notebook in an empty folder" a_notebook
check "the documents" the_documents
check "the dissectors are there" eval '[ -s "$(lfn dissectors)" ]'
for version in 3.11 3.12 3.13; do
    if [ -n "${others[$version]:-}" ]; then
        check "Python $version" with_python $version "${others[$version]}"
    elif [ -n "${others[$version]+missing}" ]; then
        echo "no Python $version on this machine: not tested with it"
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
