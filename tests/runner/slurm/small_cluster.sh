#!/bin/sh
# A Slurm of its own for tests: munged, slurmctld and some slurmd on this host, all of whose files
# are in one folder.
#
#   small_cluster.sh start DIR [NODES [MAX_ARRAY_SIZE]]   then: SLURM_CONF=DIR/slurm.conf squeue
#   small_cluster.sh node|controller DIR [NAME]            starts one daemon again
#   small_cluster.sh stop DIR
#   small_cluster.sh guard DIR PROCESS                     stops it once that process has ended
#
# Exit status 77: this host has no Slurm, or does not let it start; the reason is on stderr.
set -eu
PATH=$PATH:/usr/sbin:/sbin
verb=$1 dir=$2

skip() {
  echo "$1" >&2
  exit 77
}

node() { slurmd -f "$dir/slurm.conf" -N "$1"; }
controller() { slurmctld -f "$dir/slurm.conf"; }

# Its pid may belong to another program by now, if the daemon was killed.
is_ours() { tr '\0' ' ' < "/proc/$1/cmdline" 2> /dev/null | grep -qF "$dir/"; }

stop() {
  for file in "$dir"/run/*.pid; do
    pid=$(cat "$file" 2> /dev/null) || continue
    if is_ours "$pid"; then kill "$pid" || true; fi
  done
}

guard() {
  while kill -0 "$1" 2> /dev/null; do sleep 1; done
  stop
}

# A requeued job waits for as long as a credential lives, at least five seconds.
configure() {
  user=$(id -un)
  cat > "$dir/slurm.conf" <<END
ClusterName=small
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/run/munge.socket,cred_expire=5
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool-%n
SlurmctldPidFile=$dir/run/controller.pid
SlurmdPidFile=$dir/run/%n.pid
SlurmctldLogFile=$dir/controller.log
SlurmdLogFile=$dir/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
ReturnToService=2
KillWait=2
SlurmdTimeout=10
MaxArraySize=$most
NodeName=n[0-$((nodes - 1))] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + nodes))] CPUs=1 State=UNKNOWN
PartitionName=small Nodes=n[0-$((nodes - 1))] Default=YES MaxTime=INFINITE State=UP
PartitionName=down Nodes=n[0-$((nodes - 1))] MaxTime=1:00 State=UP
END
}

start() {
  for program in munged slurmctld slurmd sbatch squeue; do
    command -v $program > /dev/null || skip "no $program on this host"
  done
  mkdir -p "$dir/run" "$dir/state"
  chmod 755 "$dir/run"
  dd if=/dev/urandom of="$dir/munge.key" bs=1024 count=1 2> /dev/null
  chmod 400 "$dir/munge.key"
  configure
  munged --force --key-file="$dir/munge.key" --socket="$dir/run/munge.socket" \
    --pid-file="$dir/run/munge.pid" --log-file="$dir/munge.log" --seed-file="$dir/munge.seed" \
    2> "$dir/munge.err" || skip "munged does not start: $(tail -1 "$dir/munge.err")"
  controller || skip "slurmctld does not start"
  i=0
  while [ $i -lt "$nodes" ]; do
    node "n$i" || skip "slurmd does not start"
    i=$((i + 1))
  done
  for _ in $(seq 100); do
    up=$(SLURM_CONF=$dir/slurm.conf sinfo -h -N -p small -t idle -o %N 2> /dev/null | wc -l)
    [ "$up" -eq "$nodes" ] && return
    sleep 0.1
  done
  stop
  skip "the nodes do not come up: $(tail -1 "$dir/controller.log")"
}

case $verb in
  start)
    nodes=${3:-2} most=${4:-101} port=$((20000 + $$ * 8 % 10000))  # seven nodes at most
    start ;;
  stop) stop ;;
  node) node "$3" ;;
  controller) controller ;;
  guard) guard "$3" ;;
  *) skip "unknown verb '$verb'" ;;
esac
