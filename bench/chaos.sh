#!/usr/bin/env bash
# Breaks a deployment at random under load, and checks that nothing acknowledged was lost: `make chaos`.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"

usage() {
    cat <<'END'
make chaos: two gateways behind haproxy, three PostgreSQL servers under Patroni and etcd, and the provider simulator,
each on a machine of its own (a network namespace) with a disk of its own. Faults come in a seeded random order, under
a load of every kind of change. Afterwards the invariants are checked against the clients' record of acknowledged
answers. The report is var/chaos/report.html; docs/chaos.md explains it.

  CHAOS_SEED=1             the order of the faults and of each client's changes
  CHAOS_OPERATIONS=50000   how many requests the clients send
  CHAOS_MINUTES=60         the run ends after so long, even with fewer requests
  CHAOS_CLIENTS=24         clients at the same time
  CHAOS_RATE=0             the most works of a client per second, for a light run; 0 for no limit
  CHAOS_FAULTS=            some faults by name, separated by spaces: bench/chaos/faults.py lists them
  CHAOS_SABOTAGE=          breaks an invariant on purpose before the check, which must report it: bench/chaos/sabotage.py
                           lists the names; `all` tries each
  CHAOS_BINARIES=          a folder with gateway and provider-simulator; unset: .build/release, which is built
  CHAOS_NEIGHBOUR=         a folder with the gateway of a neighbouring version: one of the two gateways runs it, and each
                           deploy changes which one

It needs root, for the namespaces and the disks. Status: 0 if every invariant held, 1 otherwise.
END
}

main() {
    cd "$root"
    case ${1:-} in
        '') ;;
        -h | --help | help) usage && exit 0 ;;
        *) fail "There is no option '$1': --help lists the settings." ;;
    esac
    ((EUID == 0)) || fail "This needs root, for network namespaces and file systems: 'sudo make chaos'."
    [[ ${CHAOS_SEED:-1} =~ ^[0-9]+$ ]] || fail "CHAOS_SEED is a whole number, not '$CHAOS_SEED'."
    stop_everything_at_exit
    hold_lock "$root/var/chaos.lock" "A chaos run is already going on from $root: wait for it to end."
    install_programs
    if [[ -z ${CHAOS_BINARIES:-} ]]; then
        build_release gateway provider-simulator
        CHAOS_BINARIES=$root/.build/release
    fi
    [[ -x $CHAOS_BINARIES/gateway && -x $CHAOS_BINARIES/provider-simulator ]] ||
        fail "$CHAOS_BINARIES holds no gateway and provider-simulator: CHAOS_BINARIES names another folder."
    # The programs run in another folder, so a relative path would lead nowhere.
    CHAOS_BINARIES=$(realpath "$CHAOS_BINARIES")
    if [[ -n ${CHAOS_NEIGHBOUR:-} ]]; then
        [[ -x $CHAOS_NEIGHBOUR/gateway ]] || fail "$CHAOS_NEIGHBOUR holds no gateway: CHAOS_NEIGHBOUR names another folder."
        CHAOS_NEIGHBOUR=$(realpath "$CHAOS_NEIGHBOUR")
        export CHAOS_NEIGHBOUR
    fi

    BENCH_FOLDER=$(mktemp --directory /var/tmp/login-chaos.XXXXXX)
    when_stopping rm -rf "$BENCH_FOLDER"
    # PostgreSQL's user passes through it.
    chmod 711 "$BENCH_FOLDER"
    mkdir -m 700 "$BENCH_FOLDER/logs"
    (umask 077 && fill_in_environment >"$BENCH_FOLDER/gateway.env")
    if [[ -n ${CHAOS_NEIGHBOUR:-} ]]; then
        (umask 077 && known_settings "$CHAOS_NEIGHBOUR" "$BENCH_FOLDER/gateway.env" >"$BENCH_FOLDER/neighbour.env")
    fi
    BENCH_POSTGRES_BIN=$(postgres_binaries)
    export CHAOS_BINARIES BENCH_FOLDER BENCH_POSTGRES_BIN BENCH_ROOT=$root
    export BENCH_POSTGRES_DATA='' BENCH_ADMINISTRATOR_URL='' PYTHONPATH="$root/bench" PYTHONDONTWRITEBYTECODE=1
    # Everything that the run starts ends with this process tree: processes, networks, mounts.
    # shellcheck disable=SC2016
    run_process "the run" unshare --net --mount --pid --fork --kill-child --mount-proc bash -euc '
        ip link set lo up
        mount -t tmpfs tmpfs /run
        mkdir /run/netns
        echo 1 >/proc/sys/net/ipv4/ip_forward
        status=0
        python3 -m "$0" || status=$?
        exit "$status"' "${CHAOS_MODULE:-chaos}" </dev/null
}

install_programs() {
    local missing=()
    mapfile -t missing < <(missing_cluster_packages)
    command -v python3 >/dev/null || missing+=(python3)
    command -v haproxy >/dev/null || missing+=(haproxy)
    command -v ip >/dev/null || missing+=(iproute2)
    command -v faketime >/dev/null || missing+=(faketime)
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
    require_postgres
}

main "$@"
