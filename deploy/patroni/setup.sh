# shellcheck shell=bash disable=SC2154
# Packages and files of a cluster; a part of cluster.sh, whose variables it uses.

# --- packages ---------------------------------------------------------------------------------------------------------

bin_directory() {
  local newest
  newest=$(find /usr/lib/postgresql -mindepth 1 -maxdepth 1 2>/dev/null | sort -V | tail -1)
  echo "${newest:-/usr/lib/postgresql/none}/bin"
}

install_missing() {
  local missing=()
  [[ -x $(bin_directory)/postgres ]] || missing+=(postgresql)
  command -v patroni >/dev/null || missing+=(patroni)
  command -v etcd >/dev/null || missing+=(etcd-server)
  command -v etcdctl >/dev/null || missing+=(etcd-client)
  ((${#missing[@]} > 0)) || return 0
  ((EUID == 0)) || fail "missing: ${missing[*]}; run '$0 install' as root"
  echo "installing ${missing[*]}" >&2
  # Debian would start etcd, and a PostgreSQL of its own, at once and at each boot.
  local own_policy=
  if [[ ! -e /usr/sbin/policy-rc.d ]]; then
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    chmod 755 /usr/sbin/policy-rc.d
    own_policy=1
  fi
  if [[ ! -e /etc/postgresql-common ]]; then
    mkdir -p /etc/postgresql-common/createcluster.d
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/tessera.conf
  fi
  local outcome=0
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2 || outcome=$?
  [[ -z $own_policy ]] || rm -f /usr/sbin/policy-rc.d
  ((outcome == 0)) || fail "apt-get failed; run apt-get update and try again"
  local package
  for package in "${missing[@]}"; do
    # None of a service manager: then nothing of it starts either.
    case $package in
      patroni) systemctl disable --now patroni.service >/dev/null 2>&1 || true ;;
      etcd-server) systemctl disable --now etcd.service >/dev/null 2>&1 || true ;;
    esac
  done
}

# --- files ------------------------------------------------------------------------------------------------------------

# Outside of the range that outgoing connections are given, so that a port is still free when its member comes back.
choose_ports() {
  python3 - "${first_port:-0}" <<'PYTHON'
import random, socket, sys
first = int(sys.argv[1])
wanted = range(first, first + 12) if first else random.sample(range(15000, 32000), 200)
found, held = [], []
for port in wanted:
    probe = socket.socket()
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        probe.bind(("127.0.0.1", port))
    except OSError:
        if first:
            sys.exit(f"cluster.sh: port {port} is taken")
        continue
    held.append(probe)
    found.append(port)
    if len(found) == 12:
        break
print(*found)
PYTHON
}

password() {
  od -An -N18 -tx1 /dev/urandom | tr -d ' \n'
}

make_secrets() {
  local name
  echo "DATABASE=$database"
  for name in SUPERUSER REPLICATION REWIND REST TESSERA; do echo "${name}_PASSWORD=$(password)"; done
  echo "ETCD_TOKEN=$(password)"
}

check_times() {
  ((ttl >= loop_wait + 2 * retry_timeout)) || fail "--ttl must be at least --loop-wait + 2 * --retry-timeout"
  ((ttl >= 20 && loop_wait >= 1 && retry_timeout >= 3)) || fail "at least: --ttl 20, --loop-wait 1, --retry-timeout 3"
}

# fill NAME ADDRESS PORT REST_PORT DIRECTORY ETCD_HOSTS: patroni.yml of one member, with the secrets of $dir. Lines
# behind #tls count where there are certificates.
fill() {
  # shellcheck source=/dev/null
  source "$dir/secrets"
  sed -e "s|@NAME@|$1|g; s|@ADDRESS@|$2|g; s|@PORT@|$3|g; s|@REST_PORT@|$4|g; s|@DIR@|$5|g; s|@ETCD_HOSTS@|$6|g" \
    -e "s|@BIN@|$(bin_directory)|g; s|@HBA@|$hba|g; s|@NETWORK@|$network|g; s|@WATCHDOG@|$watchdog|g" \
    -e "s|@TTL@|$ttl|g; s|@LOOP_WAIT@|$loop_wait|g; s|@RETRY_TIMEOUT@|$retry_timeout|g" \
    -e "s|@SUPERUSER_PASSWORD@|$SUPERUSER_PASSWORD|g; s|@REPLICATION_PASSWORD@|$REPLICATION_PASSWORD|g" \
    -e "s|@REWIND_PASSWORD@|$REWIND_PASSWORD|g; s|@REST_PASSWORD@|$REST_PASSWORD|g" \
    "$here/patroni.yml.in" |
    if [[ -n $certificates ]]; then sed "s|^#tls||; s|@CERTIFICATES@|$certificates|g"; else grep -v '^#tls'; fi
}

make_files() {
  check_times
  local ports
  read -ra ports <<<"$(choose_ports)"
  ((${#ports[@]} == 12)) || exit 1
  mkdir -p "$dir"
  [[ -z $(ls -A "$dir") ]] || fail "$dir is not empty and holds no cluster"
  chmod 700 "$dir"
  : >"$dir/members"
  local index
  for index in 0 1 2; do
    mkdir -m 700 "$dir/${members[index]}"
    # name, PostgreSQL, Patroni's REST API, etcd for clients, etcd for its peers
    echo "${members[index]} ${ports[*]:index*4:4}" >>"$dir/members"
  done
  (
    umask 077
    make_secrets >"$dir/secrets"
    local network=127.0.0.1/32 hba=host watchdog=off certificates='' name port rest
    while read -r name port rest _ _; do
      fill "$name" 127.0.0.1 "$port" "$rest" "$dir/$name" "$(etcd_hosts)" >"$dir/$name/patroni.yml"
    done <"$dir/members"
  )
  ((EUID != 0)) || chown -R postgres:postgres "$dir"
}

etcd_hosts() {
  awk '{ hosts = hosts (NR > 1 ? "," : "") "127.0.0.1:" $4 } END { print hosts }' "$dir/members"
}
