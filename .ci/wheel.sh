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
    local name=$1
    shift
    if (cd "$folder/user" && "$@") >"$folder/said" 2>&1; then
        echo "PASS $name"
        passed=$((passed + 1))
    else
        echo "FAIL $name"
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
as_the_build() {
    rbudp-transfer --bytes=2MB --lossRate=0.01 --outputDir=installed &&
        "$home/build/bin/rbudp-transfer" --bytes=2MB --lossRate=0.01 --outputDir=built &&
        cmp installed/summary.csv built/summary.csv
}
every_program() {
    local name
    for name in $(lfn programs); do "$name" --PrintHelp >/dev/null || return 1; done
}

check "the build's own programs are as before" same_build
check "equal builds make equal packages" same_package
python=$(readlink -f .venv/bin/python)
"$python" -m venv "$folder/venv"
mkdir "$folder/tools"
for tool in bash sh awk cat cmp cp grep head ldd ls rm sha256sum sort tail uname wc; do
    ln -s "$(command -v $tool)" "$folder/tools/$tool"
done
export PATH=$folder/venv/bin:$folder/tools
unset PYTHONPATH CC CXX LD_LIBRARY_PATH
check "there is no compiler" eval '! command -v cc gcc g++ clang c++'
check "pip installs the package" python -m pip install --quiet "$package"
check "without ns-3 a program says so" refuses "pip install --no-deps $pin" rbudp-transfer
check "without ns-3 figures say so" refuses "pip install --no-deps $pin" lfn figures --plan
check "pip installs ns-3 alone" python -m pip install --quiet --no-deps "$pin"
check "ns-3 is taken from next to the package" no_ns3_of_elsewhere
check "nothing reports where it was built" no_place_of_the_clone
check "every program starts" every_program
check "a scenario as the build's own program runs it" as_the_build
check "python -m lfn run" python -m lfn run vrp-transfer --bytes=200kB --flows=1
check "a wrong program is refused" refuses "no program 'vrp'" lfn run vrp
check "a wrong flag is refused" refuses "--rtt=100" rbudp-transfer --rtt=100
check "a sweep in Python" a_sweep
check "a figure" a_figure
check "the dissectors are there" eval '[ -s "$(lfn dissectors)" ]'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
