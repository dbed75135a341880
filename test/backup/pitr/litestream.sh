#!/usr/bin/env bash
# Replicates the database of a server under writes with Litestream, kills the server, restores the copy and starts a server on it: the
# commands of docs/operations/backup.md. Needs Litestream (LITESTREAM=PATH) and npm ci.
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
serve() { rm -f $D/a; $N $M serve --listen 127.0.0.1:0 --data-dir $1 --address-file $D/a > $D/log-$2 2>&1 & S=$!; for i in $(seq 200); do [ -s $D/a ] && break; sleep .1; done; U=http://$(sed 's|^http://||' $D/a); }
serve $D/data 1; T=$(cat $D/data/management-token)
"$LITESTREAM" replicate -config $D/litestream.yml > $D/ls.log 2>&1 & L=$!
sleep 1
for i in $(seq 300); do curl -sf -X PUT -H "X-Service-Token: $T" -d "{\"Name\":\"p$i\"}" $U/v1/acl/policy >/dev/null; done
sleep 3; kill -9 $S; sleep 1; kill $L; wait $L || true
tail -5 $D/ls.log; grep -ci error $D/ls.log || true
mkdir -m 700 $D/back; "$LITESTREAM" restore -config $D/litestream.yml -o $D/back/tessera.db $D/data/tessera.db 2>&1 | tail -3
cp $D/data/master-key $D/back/; chmod 600 $D/back/tessera.db
$N $M audit verify --data-dir $D/back
serve $D/back 2 || true
found=$(curl -s -H "X-Service-Token: $T" "$U/v1/acl/policies" | tr ',' '\n' | grep -c '"Name":"p')
[ "$found" = 300 ] || { echo "FOUND $found policies of 300"; exit 1; }
kill $S; echo "all 300 writes are in the copy, whose chains are whole"
rm -rf $D
