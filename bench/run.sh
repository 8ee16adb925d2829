#!/usr/bin/env bash
# Measures the gateway: `make bench`. It is no test: it tells figures and never fails on a slow machine.
# `make soak` (bench/run.sh soak) runs it for SOAK_MINUTES (60) at SOAK_RATE requests a second (100), and fails where its
# memory grows.
#
# BENCH_SECONDS (5), BENCH_RUNS (3), BENCH_CONNECTIONS ("1 16 64"), BENCH_WORKS (all), BENCH_ACCOUNTS (1000000),
# BENCH_EVENTS (5000000) and BENCH_PROFILE (0) change the run; README.md in this folder explains the figures.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"

main() {
    cd "$root"
    stop_everything_at_exit
    hold_lock "$root/var/bench.lock" "The benchmark is already being run from $root: wait for it to end."
    local measured=${1:-measure}
    [[ $measured == soak || " ${BENCH_WORKS:-accounts} " != *" accounts "* ]] || require_disk 8 "The benchmark among a million accounts"
    if release_is_stale gateway provider-simulator || { [[ $measured != soak ]] && bare_is_stale; }; then require_swift; fi
    install_missing_packages
    install_tools
    build_release gateway provider-simulator
    [[ $measured == soak ]] || build_bare

    cluster_discard bench
    cluster_open bench "shared_preload_libraries = 'pg_stat_statements'" 'max_wal_size = 4GB' 'max_connections = 200'
    when_stopping cluster_remove
    cluster_grant login
    cluster_sql login --command 'create extension pg_stat_statements'
    # Apart from the other works: their pages and statements are none of a million accounts' business.
    cluster_grant large
    export BENCH_FOLDER="$root/var/measure"
    rm -rf "$BENCH_FOLDER"
    (umask 077 && mkdir -p "$BENCH_FOLDER")
    (umask 077 && fill_in_environment >"$BENCH_FOLDER/gateway.env")

    BENCH_ADMINISTRATOR_URL=$(cluster_url postgres login)
    BENCH_MIGRATE_URL=$(cluster_url gateway_migrate login)
    BENCH_SERVE_URL=$(cluster_url gateway_serve login)
    BENCH_LARGE_ADMINISTRATOR_URL=$(cluster_url postgres large)
    BENCH_LARGE_MIGRATE_URL=$(cluster_url gateway_migrate large)
    BENCH_LARGE_SERVE_URL=$(cluster_url gateway_serve large)
    export BENCH_ADMINISTRATOR_URL BENCH_MIGRATE_URL BENCH_SERVE_URL
    export BENCH_LARGE_ADMINISTRATOR_URL BENCH_LARGE_MIGRATE_URL BENCH_LARGE_SERVE_URL
    export BENCH_POSTGRES_BIN=$cluster_bin BENCH_POSTGRES_DATA=$cluster_data BENCH_ROOT=$root
    export PYTHONPATH="$root/bench" PYTHONDONTWRITEBYTECODE=1
    [[ $measured != soak ]] || measured=measure.soak
    run_process "the benchmark" python3 -m "$measured" </dev/null
}

# The measuring programs, and the bare server for comparison.
install_tools() {
    local missing=()
    command -v wrk >/dev/null || missing+=(wrk)
    command -v python3 >/dev/null || missing+=(python3)
    command -v openssl >/dev/null || missing+=(openssl)
    [[ ${BENCH_PROFILE:-0} == 0 ]] || command -v perf >/dev/null || missing+=(linux-perf)
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

# Only what is compared with it needs it.
bare_is_stale() {
    [[ " ${BENCH_WORKS:-session} " =~ " "(session|login_page|openid_authorize|refresh|sign_in_known)" " ]] || return 1
    local binary="$root/.build-bare/release/Bare"
    [[ ! -x $binary || -n $(find "$root/bench/bare/Sources" "$root/bench/bare/Package.swift" -newer "$binary" -print -quit) ]]
}

build_bare() {
    bare_is_stale || return 0
    say "Building the bare server that the gateway is compared with."
    run_process "the build" swift build --package-path "$root/bench/bare" --scratch-path "$root/.build-bare" \
        "${release_flags[@]}" </dev/null >&2 || fail "The bare server could not be built: the compiler's words are above."
    touch "$root/.build-bare/release/Bare"
}

main "$@"
