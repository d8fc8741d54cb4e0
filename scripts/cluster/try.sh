#!/bin/sh
# Makes all tables of four men with the workflow, locally, by machines that share a directory, and
# through a Slurm of two nodes on this machine. The local workflow is stopped and started again, and
# a node is killed while it works. Every byte must equal the output of `sakmak generate 4`.
# usage: scripts/cluster/try.sh [local] [shared] [slurm]     [default: all three]
# Needs cargo, a C compiler, python3 3.11 with venv, and the network for snakemake. The part `slurm`
# needs root and slurmctld, slurmd, the client programs of Slurm and munge. It writes
# /etc/slurm/slurm.conf, which must not exist, starts daemons, and ends and removes all of it again.
# Takes ten minutes on two cores.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
venv=$target/cluster-venv
wanted=scripts/cluster/requirements.txt
. scripts/venv.sh
cargo build --quiet --release -p sakmak-gen --bin sakmak
work=$(mktemp -d)
sakmak=$work/sakmak
cp "$target/release/sakmak" "$sakmak"
# All that is started inherits this, so that it is found again.
export SAKMAK_TRY="$work"

# kill_all FILE PATTERN: kills the processes, other than this one, that have the pattern in a file of
# /proc.
kill_all() {
    for process in /proc/[0-9]*; do
        if [ "$process" != "/proc/$$" ] &&
            cat "$process/$1" 2>/dev/null | tr '\0' '\n' | grep -q "$2"; then
            kill -9 "${process#/proc/}" 2>/dev/null || true
        fi
    done
}

cleanup() {
    kill_all environ "^SAKMAK_TRY=$work\$"
    if [ -e "$work/slurm.conf" ]; then
        # A step of Slurm hides its environment. No other Slurm is here.
        kill_all cmdline "^slurmstepd: "
        rm /etc/slurm/slurm.conf
    fi
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

"$sakmak" generate 4 --tables "$work/alone" >"$work/alone.log" 2>&1
"$sakmak" plan 4 --json --memory 1G --threads 1 --tables "$work/none" >"$work/plan.json"

# workflow NAME PROFILE [OPTION...]: runs the workflow in a directory of its own.
workflow() {
    name=$1 profile=$2
    shift 2
    mkdir -p "$work/of-$name"
    (cd "$work/of-$name" && SAKMAK_WORKFLOW=$name exec "$python" -m snakemake --quiet rules --nolock \
        --snakefile "$root/scripts/cluster/Snakefile" \
        --profile "$root/scripts/cluster/profiles/$profile" "$@" \
        --config plan="$work/plan.json" tables="$work/$tables" sakmak="$sakmak" batch="$batch") \
        >>"$work/$name.log" 2>&1
}

# made: the number of tables.
made() {
    find "$work/$tables" -name '*.smt' 2>/dev/null | wc -l
}

# await NUMBER: waits until that many tables are made.
await() {
    while [ "$(made)" -lt "$1" ]; do
        sleep 0.2
        tries=$((tries + 1))
        [ "$tries" -lt 6000 ] || fail "no progress after twenty minutes"
    done
}

# jobs: the number of tables that the workflow would make.
jobs() {
    workflow dry local --dry-run || fail "the dry run failed"
    sed -n 's/^table  *\([0-9][0-9]*\)$/\1/p' "$work/dry.log" | tail -n 1
    rm "$work/dry.log"
}

fail() {
    echo "$1" >&2
    tail -n 50 "$work"/*.log >&2
    exit 1
}

# same: compares every file with a single run; there must be no other file.
same() {
    diff -r "$work/alone" "$work/$tables" || fail "other bytes"
    echo "$tables: the same bytes"
}

local_workflow() {
    tables=local batch= tries=0
    [ "$(jobs)" = 35 ] || fail "the dry run is not the plan"
    workflow local local &
    pid=$!
    await 8
    kill_all environ "^SAKMAK_WORKFLOW=local\$"
    wait "$pid" && fail "the workflow was not stopped"
    echo "stopped after $(made) tables"
    [ "$(made)" -lt 35 ] || fail "all tables were made before the workflow was stopped"
    workflow local local || fail "the workflow failed"
    same
    [ -z "$(jobs)" ] || fail "finished tables are made again"
}

shared_workflow() {
    tables=shared batch=true tries=0
    workflow one shared &
    one=$!
    workflow two shared &
    two=$!
    wait "$one" || fail "the first workflow failed"
    wait "$two" || fail "the second workflow failed"
    same
}

slurm_workflow() {
    tables=slurm batch= tries=0
    for program in munged slurmctld slurmd sbatch squeue scontrol; do
        command -v "$program" >/dev/null || fail "$program is not installed"
    done
    [ "$(id -u)" = 0 ] || fail "the part 'slurm' needs root"
    [ ! -e /etc/slurm/slurm.conf ] || fail "/etc/slurm/slurm.conf exists"
    host=$(hostname)
    mkdir -m 755 "$work/munge"
    chmod 755 "$work"
    head -c 1024 /dev/urandom >"$work/munge/key"
    chmod 600 "$work/munge/key"
    munged --foreground --force --key-file="$work/munge/key" --num-threads=2 \
        --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
        --log-file="$work/munge/log" --seed-file="$work/munge/seed" >>"$work/daemons.log" 2>&1 &
    cat >"$work/slurm.conf" <<END
ClusterName=try
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool.%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=bf_interval=2,sched_interval=2
SlurmdParameters=config_overrides
# A node that does not answer is down after ten seconds, and its jobs go to another one.
SlurmdTimeout=10
JobRequeue=1
ReturnToService=2
NodeName=one NodeHostname=$host NodeAddr=127.0.0.1 Port=16818 CPUs=2 RealMemory=4000
NodeName=two NodeHostname=$host NodeAddr=127.0.0.1 Port=16819 CPUs=2 RealMemory=4000
PartitionName=try Nodes=one,two Default=YES State=UP
END
    mkdir -p /etc/slurm "$work/state" "$work/spool.one" "$work/spool.two"
    cp "$work/slurm.conf" /etc/slurm/slurm.conf
    # The nodes ask munge once it answers.
    until [ -S "$work/munge/socket" ]; do sleep 0.2; done
    slurmctld -D >>"$work/daemons.log" 2>&1 &
    slurmd -D -N one >>"$work/daemons.log" 2>&1 &
    one=$!
    slurmd -D -N two >>"$work/daemons.log" 2>&1 &

    workflow slurm slurm --slurm-no-account --slurm-status-command squeue \
        --slurm-init-seconds-before-status-checks 5 &
    pid=$!
    await 8
    # The node `one` fails while it works.
    running=
    while [ -z "$running" ]; do
        running=$(squeue --noheader --states=RUNNING --nodelist=one --format=%A)
        [ "$(made)" -lt 35 ] || fail "all tables were made before the node worked again"
        sleep 0.2
    done
    kill -9 "$one"
    for job in $running; do kill_all cmdline "^slurmstepd: \[$job\."; done
    kill_all environ "^SLURMD_NODENAME=one\$"
    echo "node one killed with job" $running "after $(made) tables"
    wait "$pid" || fail "the workflow failed"
    grep -qi "node.* one .*down\|nodes one not responding\|requeu" "$work/slurmctld.log" ||
        fail "Slurm has not seen that the node failed"
    same
}

[ $# -gt 0 ] || set -- local shared slurm
for part in "$@"; do
    case $part in
    local | shared | slurm) "${part}_workflow" ;;
    *) echo "usage: scripts/cluster/try.sh [local] [shared] [slurm]" >&2; exit 2 ;;
    esac
done
