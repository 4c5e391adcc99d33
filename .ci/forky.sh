#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The second ns-3: a folder with Debian's suite forky, whose libns3-dev is built with another
# compiler and language standard than the wheel. Builds this clone there with the sanitizers and
# runs the C++ suites: one build finds what a second ns-3 and what the sanitizers find.
# Exit status 77: skipped, the machine's mirror has no such suite or package.
set -eu

suite=forky
newest=48 # of the tested releases 3.44 to 3.48

mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "Debian" { sub("/$", "", $2); print $2; exit }')
if [ -z "$mirror" ]; then
    echo "skipped: this machine's apt sources name no Debian mirror"
    exit 77
fi
folder=$(mktemp -d)
clean() {
    mountpoint -q "$folder/root/proc" && umount "$folder/root/proc"
    rm -rf --one-file-system "$folder"
}
trap clean EXIT
if ! answer=$(/usr/lib/apt/apt-helper -o APT::Sandbox::User=root download-file \
    "$mirror/dists/$suite/Release" "$folder/Release" 2>&1); then
    echo "$answer"
    grep -q ' 404 ' <<<"$answer" || exit 1
    echo "skipped: the Debian mirror has no suite $suite"
    exit 77
fi

root=$folder/root
inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

# debootstrap of an older Debian has no script of the suite's name; sid's serves.
debootstrap --variant=minbase "$suite" "$root" "$mirror" /usr/share/debootstrap/scripts/sid |
    tail -n 1
for setting in /etc/apt/apt.conf /etc/apt/apt.conf.d/*proxy*; do
    if [ -f "$setting" ]; then cp "$setting" "$root/etc/apt/apt.conf.d/"; fi
done
# A frozen mirror's lists may be past their date.
echo 'Acquire::Check-Valid-Until "false"; APT::Sandbox::User "root";' \
    >"$root/etc/apt/apt.conf.d/00lfn"
inside apt-get update -q | tail -n 1
if ! inside apt-cache show libns3-dev >/dev/null 2>&1; then
    echo "skipped: the suite $suite has no libns3-dev"
    exit 77
fi
inside apt-get install -q -y --no-install-recommends g++ libns3-dev pkgconf python3-venv |
    tail -n 1

version=$(inside pkg-config --modversion ns3-core)
echo "found ns-3 $version, $(inside g++ --version | head -n 1)"
minor=${version#3.}
if [ "${minor%%.*}" -gt "$newest" ]; then
    echo "warning: newer than the tested releases, which end at 3.$newest"
fi

mount -t proc proc "$root/proc" # the loader and the run recorder read it

# pip in there has no network to rely on: it gets waflib from here.
mkdir "$root/lfn" "$root/wheels"
git ls-files -z | tar --create --null --files-from=- | tar --extract --directory "$root/lfn"
./waf --help >/dev/null # makes .venv
.venv/bin/python -m pip download --quiet --no-deps --dest "$root/wheels" \
    -r .waf-tools/requirements/build.txt
inside env PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels CXXFLAGS=-Werror \
    sh -c 'cd /lfn && ./waf configure --ns3=/usr --sanitize && LFN_ADVERSARY_MINUTES=2 ./waf test --sanitize'
