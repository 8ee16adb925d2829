#!/usr/bin/env bash
# Measures what the gateway's works cost the database as it grows: `make bench-growth`. bench/growth.md has results.
#
# SIZES (10k,100k,1M) names the numbers of accounts, at most 10M; each account has 5 sessions and 10 events of the audit log.
# GROWTH_GATEWAY names a built gateway; without it the release build is made. GROWTH_SETTINGS is a setting of PostgreSQL. A size
# needs about 25 KB of disk per account. GATEWAYS=1,2,4 runs so many gateways behind haproxy instead, and counts what they send.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"

main() {
    [[ $# -eq 0 ]] || usage
    cd "$root"
    stop_everything_at_exit
    hold_lock "$root/var/bench.lock" "The benchmark is already being run from $root: wait for it to end."
    install_missing_packages
    if [[ -z ${GROWTH_GATEWAY:-} ]]; then
        if release_is_stale gateway provider-simulator; then require_swift; fi
        build_release gateway provider-simulator
    fi
    [[ -z ${GATEWAYS:-} ]] || command -v haproxy >/dev/null || install_packages haproxy
    [[ -x ${GROWTH_GATEWAY:=$root/.build/release/gateway} ]] || fail "GROWTH_GATEWAY is $GROWTH_GATEWAY, which is no program."

    # A line of postgresql.conf, such as 'shared_buffers = 2GB'.
    local settings=()
    [[ -z ${GROWTH_SETTINGS:-} ]] || settings=("$GROWTH_SETTINGS")
    cluster_discard growth
    # Counts belong to the works: no automatic vacuum. No commit waits for the disk: times are those of the statements.
    cluster_open growth "shared_preload_libraries = 'pg_stat_statements'" 'pg_stat_statements.track_utility = off' \
        'max_wal_size = 4GB' 'autovacuum = off' 'synchronous_commit = off' "${settings[@]}"
    when_stopping cluster_remove
    export BENCH_FOLDER="$root/var/measure" BENCH_ROOT=$root GROWTH_GATEWAY SIZES=${SIZES:-10k,100k,1M}
    rm -rf "$BENCH_FOLDER"
    (umask 077 && mkdir -p "$BENCH_FOLDER")
    (umask 077 && fill_in_environment >"$BENCH_FOLDER/gateway.env")
    BENCH_ADMINISTRATOR_URL=$(cluster_url postgres postgres)
    BENCH_LARGE_ADMINISTRATOR_URL=$(cluster_url postgres growth)
    BENCH_LARGE_MIGRATE_URL=$(cluster_url gateway_migrate growth)
    export BENCH_ADMINISTRATOR_URL BENCH_LARGE_ADMINISTRATOR_URL BENCH_LARGE_MIGRATE_URL
    export BENCH_POSTGRES_BIN=$cluster_bin BENCH_POSTGRES_DATA=$cluster_data PYTHONPATH="$root/bench" PYTHONDONTWRITEBYTECODE=1
    local measured=growth
    [[ -z ${GATEWAYS:-} ]] || prepare_gateways
    run_process "the benchmark" python3 -m "measure.$measured" </dev/null
}

# A database for several gateways, and the folder of the two programs.
prepare_gateways() {
    measured=gateways
    cluster_grant login
    cluster_sql login --command 'create extension pg_stat_statements'
    BENCH_ADMINISTRATOR_URL=$(cluster_url postgres login)
    BENCH_MIGRATE_URL=$(cluster_url gateway_migrate login)
    BENCH_SERVE_URL=$(cluster_url gateway_serve login)
    export GATEWAYS BENCH_MIGRATE_URL BENCH_SERVE_URL BENCH_BINARIES=${GROWTH_GATEWAY%/*}
}

usage() {
    say "bench/growth.sh, or make bench-growth: SIZES=10k,100k,1M GROWTH_GATEWAY=PROGRAM change the run."
    exit 2
}

main "$@"
