#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A Slurm of one node on this machine, from the distribution's packages: the smallest preset of
# figures, one with several runs a point, made locally and by Slurm, must give the same results bit
# for bit.
# Exit status 77: skipped, daemons cannot run here. Needs root rights.
set -eu -o pipefail
cd "$(dirname "$0")/.."
figures=${1:-rbudp-fig4,rbudp-fig7}

if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then
    { apt-get update -q && apt-get install -q -y --no-install-recommends slurm-wlm munge; } |
        tail -n 1
fi
folder=$(mktemp -d)
chmod 755 "$folder"
pids=()
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait
    [ "$(readlink /etc/slurm/slurm.conf)" = "$folder/slurm.conf" ] && rm /etc/slurm/slurm.conf
    rm -rf "$folder"
}
trap finish EXIT

skip() {
    echo "skipped: $1"
    tail -n 5 "$folder"/*.log 2>/dev/null || true
    exit 77
}

# Own key and socket: a munged of the machine, if there is one, is left alone.
mkdir "$folder/munge" "$folder/state" "$folder/spool"
dd if=/dev/urandom of="$folder/munge/key" bs=128 count=1 status=none
chmod 700 "$folder/munge"
chmod 400 "$folder/munge/key"
munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" \
    >"$folder/munged.log" 2>&1 &
pids+=($!)

host=$(hostname -s)
cat >"$folder/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$((20000 + RANDOM % 20000))
SlurmdPort=$((40000 + RANDOM % 20000))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
MinJobAge=3600
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
# The executor hides SLURM_CONF, like all SLURM_*, from its jobs: their srun looks where it is usual.
[ ! -e /etc/slurm/slurm.conf ] || skip "this machine has a Slurm of its own"
mkdir -p /etc/slurm
ln -sfn "$folder/slurm.conf" /etc/slurm/slurm.conf
export SLURM_CONF=$folder/slurm.conf
slurmctld -D -f "$SLURM_CONF" >"$folder/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" >"$folder/slurmd.log" 2>&1 &
pids+=($!)
for _ in $(seq 60); do
    [ "$(timeout 5 sinfo -h -o %t 2>/dev/null || true)" = idle ] && break
    sleep 1
done
[ "$(timeout 5 sinfo -h -o %t 2>/dev/null || true)" = idle ] || skip "no Slurm comes up here"
timeout 60 srun -n 1 true || skip "Slurm runs no job here"

# Two build folders with the same programs.
for way in local slurm; do
    mkdir -p "$folder/$way"
    ln -s "$PWD/build/bin" "$folder/$way/bin"
done
python=${PYTHON:-.venv/bin/python}
run() {
    PYTHONPATH=analysis $python analysis/figures.py --preset tiny --only "$figures" --jobs 2 "$@"
}
run --build "$folder/local"
# Without a database of jobs there is no sacct; squeue remembers them for MinJobAge.
run --build "$folder/slurm" --cluster slurm -- --slurm-status-command squeue \
    --slurm-init-seconds-before-status-checks 3 --seconds-between-status-checks 2 || {
        find "$folder/slurm/log/slurm" -name '*.log' -exec tail -n 12 {} +
        exit 1
    }

# What a run is and says, without times and folders of the machine.
digest() {
    (
        cd "$1"
        find results -type f ! -name manifest.json | sort | xargs sha256sum
        find figures -name '*.csv' -o -name '*.svg' -o -name '*.png' | sort | xargs sha256sum
    )
}
digest "$folder/local" >"$folder/local.sums"
digest "$folder/slurm" >"$folder/slurm.sums"
files=$(wc -l <"$folder/local.sums")
jobs=$(grep -c 'has been submitted with SLURM jobid' "$folder/slurm/log/snakemake.log" || true)
echo "$files files, $jobs jobs of Slurm"
[ "$jobs" -gt 0 ] && cmp "$folder/local.sums" "$folder/slurm.sums"
