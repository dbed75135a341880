#!/usr/bin/env bash
# Recovers a PostgreSQL database of Tessera to a moment between two writes with pgBackRest, and restores it into an empty one:
# the commands of docs/operations/point-in-time.md. Needs root, pgbackrest and postgresql-15 (Debian packages), and npm ci.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
bin=/usr/lib/postgresql/15/bin
port=${PITR_PORT:-54329}
dir=$(mktemp -d /tmp/tessera-pitr-XXXXXX)
chmod 755 "$dir"
chown postgres "$dir"
server=""
clean() {
  [ -n "$server" ] && kill "$server" 2>/dev/null || true
  su postgres -s /bin/bash -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null 2>&1 || true
  rm -rf "$dir"
}
trap clean EXIT
as_postgres() { su postgres -s /bin/bash -c "$1"; }
sql() { as_postgres "psql -h $dir -p $port -d ${2:-postgres} -qAtc \"$1\""; }
tessera() { "$root/node_modules/.bin/node" "$root/src/main.ts" "$@"; }
backrest() { as_postgres "pgbackrest --config=$dir/pgbackrest.conf --stanza=tessera $1"; }
fail() {
  echo "FOUND $1"
  exit 1
}

cat >"$dir/pgbackrest.conf" <<END
[global]
repo1-path=$dir/repo
repo1-retention-full=2
log-path=$dir/log
lock-path=$dir/lock
spool-path=$dir/spool
start-fast=y
log-level-console=warn
[tessera]
pg1-path=$dir/pg
pg1-port=$port
pg1-socket-path=$dir
END
as_postgres "mkdir $dir/repo $dir/log $dir/lock $dir/spool && $bin/initdb -D $dir/pg -A trust -U postgres >/dev/null"
cat >>"$dir/pg/postgresql.conf" <<END
port = $port
unix_socket_directories = '$dir'
listen_addresses = '127.0.0.1'
archive_mode = on
archive_command = 'pgbackrest --config=$dir/pgbackrest.conf --stanza=tessera archive-push %p'
END
start_postgres() {
  as_postgres "$bin/pg_ctl -D $dir/pg -w -t 60 -l $dir/log/postgresql start >/dev/null"
  for _ in $(seq 300); do
    [ "$(sql 'select pg_is_in_recovery()')" = f ] && return
    sleep 0.1
  done
  fail "PostgreSQL did not end its recovery"
}
# serve DATABASE: starts a server, whose URL is in $url
serve() {
  rm -f "$dir/address"
  # Not by the function: what is killed then would be the shell around the server.
  "$root/node_modules/.bin/node" "$root/src/main.ts" serve --listen 127.0.0.1:0 --data-dir "$dir/data" \
    --database "postgres://postgres@127.0.0.1:$port/$1" \
    --address-file "$dir/address" >>"$dir/server.log" 2>&1 &
  server=$!
  for _ in $(seq 600); do
    [ -s "$dir/address" ] && break
    kill -0 "$server" || fail "the server ended: $(cat "$dir/server.log")"
    sleep 0.1
  done
  url=http://$(sed 's|^http://||' "$dir/address")
  token=$(cat "$dir/data/management-token")
}
stop() {
  kill "$server"
  wait "$server" || true
  server=""
}
put() { curl -sf -X PUT -H "X-Service-Token: $token" -d "{\"Name\":\"$1\"}" "$url/v1/acl/policy" >/dev/null; }
index() { curl -s -o /dev/null -D - -H "X-Service-Token: $token" "$url/v1/acl/policies" | tr -d '\r' | awk 'tolower($1)=="x-consul-index:"{print $2}'; }
expect_names() {
  local names
  names=$(curl -sf -H "X-Service-Token: $token" "$url/v1/acl/policies" | tr ',' '\n' | grep -o '"Name":"[a-z]*"' | tr '\n' ' ')
  [ "$names" = '"Name":"before" "Name":"wanted" ' ] || fail "$1 has $names"
}

start_postgres
sql "create database tessera"
sql "create database again"
backrest stanza-create
backrest check
serve tessera
put before
backrest "--type=full backup"
put wanted
sleep 1.1
moment=$(sql "select now()")
sleep 1.1
put unwanted
seen=$(index)
sql "select pg_switch_wal()" >/dev/null
for _ in $(seq 200); do
  [ "$(sql "select last_failed_wal is null and last_archived_wal is not null and not exists (select from pg_ls_archive_statusdir() where name like '%.ready') from pg_stat_archiver")" = t ] && break
  sleep 0.1
done
stop
as_postgres "$bin/pg_ctl -D $dir/pg -m fast -w stop >/dev/null"

backrest "--delta --type=time --target='$moment' --target-action=promote restore"
start_postgres
database="postgres://postgres@127.0.0.1:$port/tessera"
tessera audit verify --data-dir "$dir/data" --database "$database" >"$dir/verified" || fail "$(cat "$dir/verified")"
tessera backup "$dir/recovered" --data-dir "$dir/data" --database "$database"
tessera restore "$dir/recovered" --data-dir "$dir/data" --database "postgres://postgres@127.0.0.1:$port/again" >"$dir/restored"
grep -q '^  policy .* "wanted"$' "$dir/restored" || fail "the restore names no policy: $(cat "$dir/restored")"
serve again
expect_names "the recovered database"
[ "$(index)" -gt "$seen" ] || fail "the index went back: $(index), and $seen was seen"
stop
echo "recovered to $moment in $SECONDS s: the write before it is there, the one after it is not, and no index goes back"
