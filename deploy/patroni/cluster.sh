#!/bin/bash
# Three PostgreSQL servers under Patroni with three etcd, on 127.0.0.1 of one machine: for a trial of
# docs/operations/high-availability.md and for the history test. One machine is no high availability.
set -euo pipefail

usage() {
  cat <<'HELP'
Usage: cluster.sh COMMAND [--dir DIRECTORY] [options]

  up              make the cluster, or start what is down of it; prints the --database value
  url             print that value again
  status          show members, their roles and lag
  switchover      make a synchronous standby the primary in good order
  kill-primary    SIGKILL the primary's PostgreSQL and its Patroni
                  (--postgres-only leaves Patroni, which starts PostgreSQL again)
  kill MEMBER     the same for the member a, b or c
  stop            stop everything; the data stay, and up starts it again
  down            stop everything and delete the directory
  install         only install the Debian packages that are missing

  --dir DIRECTORY       /var/lib/tessera-patroni unless given
Of up, when the cluster is made:
  --ports FIRST         take 12 ports from here on; free ones unless given
  --database NAME       tessera unless given
  --ttl SECONDS         30 unless given, 20 at least
  --loop-wait SECONDS   10 unless given
  --retry-timeout SECONDS  10 unless given, 3 at least
HELP
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
members=(a b c)
dir=/var/lib/tessera-patroni
first_port=
database=tessera
ttl=30 loop_wait=10 retry_timeout=10
postgres_only=
member=
command=${1:-help}
shift || true

fail() {
  echo "cluster.sh: $*" >&2
  exit 1
}

while (($# > 0)); do
  case $1 in
    --dir | --ports | --database | --ttl | --loop-wait | --retry-timeout)
      (($# > 1)) || fail "$1 needs a value"
      case $1 in
        --dir) dir=$2 ;;
        --ports) first_port=$2 ;;
        --database) database=$2 ;;
        --ttl) ttl=$2 ;;
        --loop-wait) loop_wait=$2 ;;
        --retry-timeout) retry_timeout=$2 ;;
      esac
      shift 2
      ;;
    --postgres-only) postgres_only=1 && shift ;;
    a | b | c) member=$1 && shift ;;
    *) fail "what is $1? cluster.sh help says what there is" ;;
  esac
done
[[ $dir == /* ]] || dir=$PWD/$dir
[[ $dir =~ ^/[A-Za-z0-9._/-]+$ ]] || fail "--dir has characters that a configuration file would not take"
[[ $database =~ ^[a-z][a-z0-9_]*$ ]] || fail "--database must be lower-case letters, digits and _"
for number in "$ttl" "$loop_wait" "$retry_timeout" ${first_port:+"$first_port"}; do
  [[ $number =~ ^[0-9]+$ ]] || fail "$number is not a whole number"
done

# shellcheck source=deploy/patroni/setup.sh
source "$here/setup.sh"

need_cluster() {
  [[ -r $dir/members && -r $dir/secrets ]] || fail "no cluster in $dir"
  # shellcheck source=/dev/null
  source "$dir/secrets"
}

# --- processes --------------------------------------------------------------------------------------------------------

# The process in a pid file, when it is one of this directory: numbers are used again after a reboot.
running() {
  local pid
  pid=$(head -1 "$1" 2>/dev/null) || return 1
  [[ -n $pid ]] && tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF "$dir/" && echo "$pid"
}

# start NAME PROGRAM ARGUMENTS…: in the background, in a session of its own, with its log and pid file in the directory.
# PostgreSQL refuses to run as root, so all of it runs as postgres; another user runs it as himself.
start() {
  local base=$dir/$1
  shift
  running "$base.pid" >/dev/null && return 0
  local owner=()
  ((EUID != 0)) || owner=(setpriv --reuid=postgres --regid=postgres --init-groups --)
  # shellcheck disable=SC2016
  (exec "${owner[@]}" env HOME="$dir" setsid bash -c 'echo $$ >"$0.pid"; cd /; exec "$@" >>"$0.log" 2>&1 </dev/null' "$base" "$@") &
  disown
}

start_all() {
  # shellcheck source=/dev/null
  source "$dir/secrets"
  local peers name client peer
  peers=$(awk '{ all = all (NR > 1 ? "," : "") $1 "=http://127.0.0.1:" $5 } END { print all }' "$dir/members")
  while read -r name _ _ client peer; do
    start "$name/etcd" etcd --name "$name" --data-dir "$dir/$name/etcd" --logger zap --log-level warn \
      --listen-client-urls "http://127.0.0.1:$client" --advertise-client-urls "http://127.0.0.1:$client" \
      --listen-peer-urls "http://127.0.0.1:$peer" --initial-advertise-peer-urls "http://127.0.0.1:$peer" \
      --initial-cluster "$peers" --initial-cluster-token "$ETCD_TOKEN" --initial-cluster-state new
  done <"$dir/members"
  while read -r name _ _ _ _; do start "$name/patroni" patroni "$dir/$name/patroni.yml"; done <"$dir/members"
}

# Patroni first: it would start PostgreSQL again. The children too: they notice their parent's end a moment later.
kill_member() {
  local pid children
  if [[ -z $postgres_only ]] && pid=$(running "$dir/$1/patroni.pid"); then kill -KILL "$pid"; fi
  pid=$(running "$dir/$1/data/postmaster.pid") || return 0
  children=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null || true)
  # shellcheck disable=SC2086
  kill -KILL "$pid" $children 2>/dev/null || true
}

# end PIDFILE SIGNAL: waits half a minute, then SIGKILL.
end() {
  local pid tries
  pid=$(running "$1") || return 0
  kill "-$2" "$pid" 2>/dev/null || return 0
  for ((tries = 0; tries < 300; tries++)); do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null || true
}

# end_all FILE SIGNAL: the process of each member.
end_all() {
  local name
  for name in "${members[@]}"; do end "$dir/$name/$1" "$2" & done
  wait
}

# Patroni stops its PostgreSQL; where it had been killed, PostgreSQL is stopped by itself. etcd last: Patroni needs it.
stop_all() {
  end_all patroni.pid TERM
  end_all data/postmaster.pid INT
  end_all etcd.pid TERM
}

# In no order: nothing of it is kept.
kill_all() {
  local name
  for name in "${members[@]}"; do kill_member "$name"; done
  end_all etcd.pid KILL
}

# --- what Patroni says ------------------------------------------------------------------------------------------------

# ask_cluster leader: "NAME PORT" of the primary. ask_cluster complete: the same once two follow it, one synchronously.
ask_cluster() {
  python3 - "$dir/members" "$1" <<'PYTHON'
import json, sys, urllib.request
for line in open(sys.argv[1]):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{line.split()[2]}/cluster", timeout=2) as answer:
            members = json.load(answer)["members"]
    except (OSError, ValueError):
        continue
    up = [member for member in members if member["state"] in ("running", "streaming")]
    for leader in (member for member in up if member["role"] == "leader"):
        following = [member for member in up if member["role"] != "leader"
                     and member.get("timeline") == leader.get("timeline") and isinstance(member.get("lag"), int)]
        synchronous = any(member["role"] == "sync_standby" for member in following)
        if sys.argv[2] == "leader" or len(following) == 2 and synchronous:
            print(leader["name"], leader["port"])
            sys.exit(0)
sys.exit(1)
PYTHON
}

# wait_for SECONDS WHAT
wait_for() {
  local until=$((SECONDS + $1))
  until ask_cluster "$2" >/dev/null; do
    ((SECONDS < until)) || fail "the cluster is not $2 after $1 s; see $dir/*/*.log"
    sleep 0.3
  done
}

leader() {
  local found
  found=$(ask_cluster leader) || fail "there is no primary now"
  echo "${found%% *}"
}

# The server makes its tables itself; it only needs a database that is its own.
make_database() {
  local found
  found=$(ask_cluster leader) || fail "there is no primary now"
  PGPASSWORD=$SUPERUSER_PASSWORD "$(bin_directory)/psql" -X -q -v ON_ERROR_STOP=1 \
    -h 127.0.0.1 -p "${found##* }" -U postgres -d postgres <<SQL
select format('create role tessera login password %L', '$TESSERA_PASSWORD')
  where not exists (select from pg_roles where rolname = 'tessera') \gexec
select 'create database $DATABASE owner tessera'
  where not exists (select from pg_database where datname = '$DATABASE') \gexec
SQL
}

url() {
  local hosts
  hosts=$(awk '{ hosts = hosts (NR > 1 ? "," : "") "127.0.0.1:" $2 } END { print hosts }' "$dir/members")
  echo "postgres://tessera:$TESSERA_PASSWORD@$hosts/$DATABASE?target_session_attrs=read-write"
}

case $command in
  install) install_missing ;;
  up)
    install_missing
    [[ -e $dir/secrets ]] || make_files
    need_cluster
    start_all
    wait_for 120 complete
    make_database
    url
    ;;
  url) need_cluster && url ;;
  status) need_cluster && patronictl -c "$dir/a/patroni.yml" list ;;
  switchover)
    need_cluster
    wait_for 60 complete
    patronictl -c "$dir/a/patroni.yml" switchover --force --leader "$(leader)" tessera
    wait_for 60 complete
    ;;
  kill-primary)
    need_cluster
    member=$(leader)
    kill_member "$member"
    echo "killed $member"
    ;;
  kill)
    need_cluster
    [[ -n $member ]] || fail "kill which of ${members[*]}?"
    kill_member "$member"
    ;;
  stop) need_cluster && stop_all ;;
  down)
    [[ -e $dir ]] || exit 0
    need_cluster
    postgres_only=
    kill_all
    rm -rf "$dir"
    ;;
  help | --help | -h) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
