#!/bin/sh
# A Slurm of its own for tests: munged, slurmctld and some slurmd on this host, all of whose files
# are in one folder.
#
#   small_cluster.sh start DIR [NODES [MAX_ARRAY_SIZE [accounted]]]   then: SLURM_CONF=DIR/slurm.conf squeue
#   small_cluster.sh node|controller DIR [NAME]                        starts one daemon again
#   small_cluster.sh stop DIR
#   small_cluster.sh guard DIR PROCESS                                 stops it once that process has ended
#
# accounted: with slurmdbd, on a MariaDB of its own. The user may then submit 20 jobs as account lab.
#
# Exit status 77: this host has no Slurm, or does not let it start; the reason is on stderr.
set -eu
PATH=$PATH:/usr/sbin:/sbin
verb=$1 dir=$2

skip() {
  echo "$1" >&2
  stop
  exit 77
}

node() { slurmd -f "$dir/slurm.conf" -N "$1"; }
controller() { slurmctld -f "$dir/slurm.conf"; }

# Its pid may belong to another program by now, if the daemon was killed.
is_ours() { cat "/proc/$1/cmdline" "/proc/$1/environ" 2> /dev/null | grep -qaF "$dir/"; }

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
  if [ "$accounted" ]; then
    storage="AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$((port + nodes + 1))
AccountingStoragePass=$dir/run/munge.socket
AccountingStorageEnforce=associations,limits"
  else
    storage=AccountingStorageType=accounting_storage/none
  fi
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
$storage
NodeName=n[0-$((nodes - 1))] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + nodes))] CPUs=1 State=UNKNOWN
PartitionName=small Nodes=n[0-$((nodes - 1))] Default=YES MaxTime=INFINITE State=UP
PartitionName=down Nodes=n[0-$((nodes - 1))] MaxTime=1:00 State=UP
END
}

account() {
  mariadb-install-db --no-defaults --datadir="$dir/db" --auth-root-authentication-method=normal \
    > "$dir/db.log" 2>&1 || skip "no database: $(tail -1 "$dir/db.log")"
  mariadbd --no-defaults --user="$user" --datadir="$dir/db" --bind-address=127.0.0.1 \
    --port=$((port + nodes + 2)) --socket="$dir/run/db.socket" --pid-file="$dir/run/db.pid" \
    --skip-grant-tables >> "$dir/db.log" 2>&1 &
  cat > "$dir/slurmdbd.conf" << END
AuthType=auth/munge
AuthInfo=socket=$dir/run/munge.socket
DbdHost=$(hostname -s)
DbdAddr=127.0.0.1
DbdPort=$((port + nodes + 1))
SlurmUser=$user
PidFile=$dir/run/accounting.pid
LogFile=$dir/accounting.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$((port + nodes + 2))
StorageUser=$user
END
  chmod 600 "$dir/slurmdbd.conf"
  for _ in $(seq 100); do
    [ -S "$dir/run/db.socket" ] && break
    sleep 0.1
  done
  slurmdbd || skip "slurmdbd does not start"
  for _ in $(seq 100); do
    sacctmgr -i add cluster small > "$dir/sacctmgr.log" 2>&1 && break
    sleep 0.2
  done
  sacctmgr -i add account lab >> "$dir/sacctmgr.log" 2>&1
  sacctmgr -i add user "$user" account=lab MaxSubmitJobs=20 >> "$dir/sacctmgr.log" 2>&1 ||
    skip "no accounts: $(tail -1 "$dir/sacctmgr.log")"
}

start() {
  for program in munged slurmctld slurmd sbatch squeue \
    ${accounted:+slurmdbd sacctmgr mariadbd mariadb-install-db}; do
    command -v "$program" > /dev/null || skip "no $program on this host"
  done
  user=$(id -un)
  mkdir -p "$dir/run" "$dir/state"
  chmod 755 "$dir/run"
  dd if=/dev/urandom of="$dir/munge.key" bs=1024 count=1 2> /dev/null
  chmod 400 "$dir/munge.key"
  configure
  munged --force --key-file="$dir/munge.key" --socket="$dir/run/munge.socket" \
    --pid-file="$dir/run/munge.pid" --log-file="$dir/munge.log" --seed-file="$dir/munge.seed" \
    2> "$dir/munge.err" || skip "munged does not start: $(tail -1 "$dir/munge.err")"
  if [ "$accounted" ]; then account; fi
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
  skip "the nodes do not come up: $(tail -1 "$dir/controller.log")"
}

case $verb in
  start)
    nodes=${3:-2} most=${4:-101} accounted=${5:-} port=$((20000 + $$ * 8 % 10000)) # five nodes at most
    SLURM_CONF=$dir/slurm.conf && export SLURM_CONF
    start ;;
  stop) stop ;;
  node) node "$3" ;;
  controller) controller ;;
  guard) guard "$3" ;;
  *) skip "unknown verb '$verb'" ;;
esac
