#!/usr/bin/env bash
# Measures the gateway beside other login servers, in one run on this machine: `make bench-peers`.
#
# The peers: django-allauth, better-auth-server and Synapse from PyPI, into virtual environments in var/bench-peers; Glewlwyd from
# Debian, which needs root or sudo. A peer that cannot be installed or started is named in the result, and the others run.
#
# BENCH_PEERS ("allauth betterauth synapse glewlwyd") names the peers, BENCH_PEER_WORKS ("password sign_up refresh session")
# the works, BENCH_RUNS (3) is the number of rounds, BENCH_SECONDS (5) the length of one run. bench/README.md has the method.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"

main() {
    (($# == 0)) || usage "$@"
    cd "$root"
    stop_everything_at_exit
    hold_lock "$root/var/bench.lock" "The benchmark is already being run from $root: wait for it to end."
    install_missing_packages
    command -v wrk >/dev/null || install_packages wrk
    python3 -c 'import ensurepip' 2>/dev/null || install_packages python3-venv
    # Without it the result says so.
    [[ " ${BENCH_PEERS:-glewlwyd} " != *" glewlwyd "* ]] || command -v glewlwyd >/dev/null ||
        (install_glewlwyd) || true
    build_release gateway provider-simulator

    cluster_discard peers
    cluster_open peers "shared_preload_libraries = 'pg_stat_statements'" 'max_wal_size = 4GB' 'max_connections = 400'
    when_stopping cluster_remove
    cluster_grant login
    cluster_sql login --command 'create extension pg_stat_statements'
    export BENCH_FOLDER="$root/var/measure" BENCH_ROOT=$root
    rm -rf "$BENCH_FOLDER"
    (umask 077 && mkdir -p "$BENCH_FOLDER")
    (umask 077 && fill_in_environment >"$BENCH_FOLDER/gateway.env")
    BENCH_ADMINISTRATOR_URL=$(cluster_url postgres login)
    BENCH_MIGRATE_URL=$(cluster_url gateway_migrate login)
    BENCH_SERVE_URL=$(cluster_url gateway_serve login)
    export BENCH_ADMINISTRATOR_URL BENCH_MIGRATE_URL BENCH_SERVE_URL
    export BENCH_POSTGRES_BIN=$cluster_bin BENCH_POSTGRES_DATA=$cluster_data PYTHONPATH="$root/bench" PYTHONDONTWRITEBYTECODE=1
    run_process "the benchmark" python3 -m measure.peers </dev/null
}

# Without the choice its set-up asks for a database, fails, and lets apt install nothing else from then on.
install_glewlwyd() {
    local administrator=()
    ((EUID == 0)) || administrator=(sudo)
    "${administrator[@]}" debconf-set-selections <<<'glewlwyd glewlwyd/config_type select No configuration'
    install_packages glewlwyd dbconfig-no-thanks
}

# The comment at the top of this file.
usage() {
    sed -n '2,/^set /{/^set /d; s/^# \{0,1\}//p}' "$0"
    [[ $1 == --help ]] || exit 2
    exit 0
}

main "$@"
