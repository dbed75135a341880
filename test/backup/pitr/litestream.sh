#!/usr/bin/env bash
# Replicates the database of a server under writes with Litestream, with copies of the log by both, kills the server, and then
# shows: the server starts on its own files, a restored copy has every acknowledged write and no token that was
# deleted, its chains are whole, and a backup of the copy can be restored. These are the commands of docs/operations/point-in-time.md.
# Needs Litestream (LITESTREAM=PATH) and npm ci.
set -euo pipefail
D=$(mktemp -d /tmp/tessera-litestream-XXXXXX)
cat > $D/litestream.yml <<E
dbs:
  - path: $D/data/tessera.db
    replicas:
      - type: file
        path: $D/replica
        sync-interval: 200ms
E
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
N=$root/node_modules/.bin/node; M=$root/src/main.ts
fail() { echo "FAILED: $* (kept: $D)"; kill ${S:-} ${L:-} 2>/dev/null; exit 1; }
trap 'kill ${S:-} ${L:-} 2>/dev/null || true' EXIT
serve() { # DIR LOG
  rm -f $D/a; $N $M serve --listen 127.0.0.1:0 --data-dir $1 --address-file $D/a > $D/log-$2 2>&1 & S=$!
  until [ -s $D/a ]; do kill -0 $S 2>/dev/null || { tail -3 $D/log-$2; fail "the server did not start"; }; sleep .1; done
  U=http://$(sed 's|^http://||' $D/a)
}
stop() { kill $S; wait $S || true; }
put() { curl -sf -X PUT -H "X-Service-Token: $T" -d "$2" $U$1; }
found() { curl -s -H "X-Service-Token: $T" "$U/v1/acl/policies" | tr ',' '\n' | grep -c '"Name":"p' || true; }
status() { curl -s -o /dev/null -w '%{http_code}' -H "X-Service-Token: $1" $U/v1/acl/token/self; }

serve $D/data first; T=$(cat $D/data/management-token)
"$LITESTREAM" replicate -config $D/litestream.yml > $D/ls.log 2>&1 & L=$!
sleep 1
for i in $(seq 300); do put /v1/acl/policy "{\"Name\":\"p$i\"}" > /dev/null; done
# More than 64 MiB: the log is copied many times meanwhile, by Litestream and by the server.
long=$(head -c 400000 /dev/zero | tr '\0' 'x'); peak=0
for i in $(seq 301 540); do
  printf '{"Name":"p%s","Rules":"# %s"}' $i "$long" | curl -sf -X PUT -H "X-Service-Token: $T" -d @- $U/v1/acl/policy > /dev/null
  now=$(stat -c %s $D/data/tessera.db-wal); [ $now -le $peak ] || peak=$now
done
token=$(put /v1/acl/token '{}')
secret=$(sed 's/.*"SecretID":"\([^"]*\)".*/\1/' <<< $token); accessor=$(sed 's/.*"AccessorID":"\([^"]*\)".*/\1/' <<< $token)
[ "$(status $secret)" = 200 ] || fail "the new token is unknown"
curl -sf -X DELETE -H "X-Service-Token: $T" $U/v1/acl/token/$accessor > /dev/null
sleep 3; kill -9 $S; sleep 1; kill $L; wait $L || true
grep -i 'level=error\|level=warn' $D/ls.log | head -3 || true

serve $D/data again
[ "$(found)" = 540 ] || fail "$(found) policies of 540 in the server's own files"
[ "$(status $secret)" = 403 ] || fail "a deleted token works again in the server's own files"
! grep -q '"level":"error"' $D/log-again || fail "$(grep '"level":"error"' $D/log-again | head -1)"
stop

mkdir -m 700 $D/back; "$LITESTREAM" restore -config $D/litestream.yml -o $D/back/tessera.db $D/data/tessera.db 2>&1 | tail -1
cp $D/data/master-key $D/back/; chmod 600 $D/back/tessera.db
$N $M audit verify --data-dir $D/back
serve $D/back copy
[ "$(found)" = 540 ] || fail "$(found) policies of 540 in the copy"
[ "$(status $secret)" = 403 ] || fail "a deleted token works again in the copy"
$N $M backup $D/copy.backup --data-dir $D/back
stop
$N $M restore $D/copy.backup --data-dir $D/restored --key-file $D/back/master-key > $D/restore.log
rm -f $D/a; $N $M serve --listen 127.0.0.1:0 --data-dir $D/restored --key-file $D/back/master-key --address-file $D/a > $D/log-restored 2>&1 & S=$!
until [ -s $D/a ]; do kill -0 $S 2>/dev/null || { tail -3 $D/log-restored; fail "the server did not start"; }; sleep .1; done
U=http://$(sed 's|^http://||' $D/a)
[ "$(found)" = 540 ] || fail "$(found) policies of 540 in the restored backup of the copy"
stop
echo "all 540 writes are in the server's files, in the copy and in a backup of it; the log had at most $((peak / 1048576)) MiB"
rm -rf $D
