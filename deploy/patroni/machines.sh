#!/bin/bash
# Writes the configuration of three PostgreSQL servers on three machines; docs/operations/high-availability.md says what
# to do with it.
set -euo pipefail

usage() {
  cat <<'HELP'
Usage: machines.sh --dir DIRECTORY --network CIDR NAME=ADDRESS NAME=ADDRESS NAME=ADDRESS [options]

  Writes DIRECTORY/NAME/patroni.yml and DIRECTORY/NAME/etcd of each machine, and DIRECTORY/secrets.

  --network CIDR          from where PostgreSQL may be reached: the three machines and the nodes of Tessera
  --certificates PATH     where each machine has ca.crt, server.crt and server.key; /etc/patroni/tls unless given
  --etcd-certificates PATH  the same for the user etcd; /etc/etcd/tls unless given
  --data PATH             /var/lib/postgresql/tessera unless given
  --watchdog off|automatic|required   required unless given
  --ttl, --loop-wait, --retry-timeout SECONDS   30, 10 and 10 unless given
HELP
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir='' network='' data=/var/lib/postgresql/tessera
certificates=/etc/patroni/tls etcd_certificates=/etc/etcd/tls
# shellcheck disable=SC2034
hba=hostssl watchdog=required
# shellcheck disable=SC2034
database=tessera ttl=30 loop_wait=10 retry_timeout=10
names=() addresses=()

fail() {
  echo "machines.sh: $*" >&2
  exit 1
}

while (($# > 0)); do
  case $1 in
    --dir) dir=$2 && shift 2 ;;
    --network) network=$2 && shift 2 ;;
    --certificates) certificates=$2 && shift 2 ;;
    --etcd-certificates) etcd_certificates=$2 && shift 2 ;;
    --data) data=$2 && shift 2 ;;
    --watchdog) watchdog=$2 && shift 2 ;;
    --ttl) ttl=$2 && shift 2 ;;
    --loop-wait) loop_wait=$2 && shift 2 ;;
    --retry-timeout) retry_timeout=$2 && shift 2 ;;
    [a-z]*=*)
      names+=("${1%%=*}")
      addresses+=("${1#*=}")
      shift
      ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
done
[[ -n $dir && -n $network && ${#names[@]} == 3 ]] || {
  usage >&2
  exit 2
}
[[ ! -e $dir ]] || fail "$dir exists; the passwords in it are not made anew"

# shellcheck source=deploy/patroni/setup.sh
source "$here/setup.sh"

check_times
umask 077
mkdir -p "$dir"
make_secrets >"$dir/secrets"
# shellcheck source=/dev/null
source "$dir/secrets"

# join SEPARATOR TEXT…
join() {
  local separator=$1 joined=$2 each
  shift 2
  for each in "$@"; do joined+=$separator$each; done
  echo "$joined"
}

peers=()
for index in 0 1 2; do peers+=("${names[index]}=https://${addresses[index]}:2380"); done
for index in 0 1 2; do
  name=${names[index]} address=${addresses[index]}
  mkdir "$dir/$name"
  fill "$name" "$address" 5432 8008 "$data" "$(join , "${addresses[@]/%/:2379}")" >"$dir/$name/patroni.yml"
  cat >"$dir/$name/etcd" <<ETCD
ETCD_NAME=$name
ETCD_DATA_DIR=/var/lib/etcd/tessera
ETCD_LISTEN_CLIENT_URLS=https://$address:2379
ETCD_ADVERTISE_CLIENT_URLS=https://$address:2379
ETCD_LISTEN_PEER_URLS=https://$address:2380
ETCD_INITIAL_ADVERTISE_PEER_URLS=https://$address:2380
ETCD_INITIAL_CLUSTER=$(join , "${peers[@]}")
ETCD_INITIAL_CLUSTER_TOKEN=$ETCD_TOKEN
ETCD_INITIAL_CLUSTER_STATE=new
ETCD_CLIENT_CERT_AUTH=true
ETCD_TRUSTED_CA_FILE=$etcd_certificates/ca.crt
ETCD_CERT_FILE=$etcd_certificates/server.crt
ETCD_KEY_FILE=$etcd_certificates/server.key
ETCD_PEER_CLIENT_CERT_AUTH=true
ETCD_PEER_TRUSTED_CA_FILE=$etcd_certificates/ca.crt
ETCD_PEER_CERT_FILE=$etcd_certificates/server.crt
ETCD_PEER_KEY_FILE=$etcd_certificates/server.key
ETCD
done
echo "postgres://tessera:$TESSERA_PASSWORD@$(join , "${addresses[@]/%/:5432}")/$DATABASE?target_session_attrs=read-write&sslmode=verify-full&sslrootcert=$certificates/ca.crt"
