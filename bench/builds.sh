#!/usr/bin/env bash
# Compares release builds in one session of the machine, or measures one: bench/builds.sh BUILD…. A build is a folder with the two
# programs, below this repository; settings of the environment may follow it: .build/release,LOG_LEVEL=error. The first
# build is the reference. Prints what each work takes of the gateway's processor time in each build, and the ratio to the
# reference.
#
# With BENCH_INSTRUCTIONS=1 it counts a request's instructions under callgrind instead, which repeats better than times. A
# build of an older revision may have its own roles.sql beside the programs.
#
# BENCH_RUNS (5) is the number of rounds, BENCH_SECONDS (2) the length of one run, BENCH_WORKS ("sign_in_known refresh
# session login_page") the works, BENCH_PAINTS (0) the views of the sign-in page in Chromium per round. BENCH_LEAVES_OUT
# names settings that an older build does not know. bench/README.md has the method.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"

main() {
    [[ $# -ge 1 && $1 != -* ]] || usage
    cd "$root"
    local build
    for build in "$@"; do
        [[ -x ${build%%,*}/gateway && -x ${build%%,*}/provider-simulator ]] || fail "${build%%,*} holds no gateway and provider-simulator."
    done
    stop_everything_at_exit
    hold_lock "$root/var/bench.lock" "The benchmark is already being run from $root: wait for it to end."
    install_missing_packages
    command -v wrk >/dev/null || install_packages wrk
    [[ -z ${BENCH_INSTRUCTIONS:-} ]] || command -v valgrind >/dev/null || install_packages valgrind

    export BENCH_FOLDER="$root/var/measure" BENCH_ROOT=$root BENCH_BINARIES=${1%%,*}
    export BENCH_RUNS=${BENCH_RUNS:-5} BENCH_SECONDS=${BENCH_SECONDS:-2} BENCH_PAINTS=${BENCH_PAINTS:-0}
    export BENCH_WORKS=${BENCH_WORKS:-sign_in_known refresh session login_page}
    rm -rf "$BENCH_FOLDER"
    (umask 077 && mkdir -p "$BENCH_FOLDER")
    (umask 077 && fill_in_environment | left_out >"$BENCH_FOLDER/gateway.env")

    cluster_discard builds
    cluster_open builds "shared_preload_libraries = 'pg_stat_statements'" 'max_wal_size = 4GB' 'max_connections = 400'
    when_stopping cluster_remove
    cluster_sql postgres --command 'create extension pg_stat_statements'
    local number=0
    for build in "$@"; do
        number=$((number + 1))
        cluster_grant "build$number"
    done
    # BUILD stands for the name of a build's database.
    BENCH_ADMINISTRATOR_URL=$(cluster_url postgres postgres)
    BENCH_MIGRATE_URL=$(cluster_url gateway_migrate BUILD)
    BENCH_SERVE_URL=$(cluster_url gateway_serve BUILD)
    export BENCH_ADMINISTRATOR_URL BENCH_MIGRATE_URL BENCH_SERVE_URL
    export BENCH_POSTGRES_BIN=$cluster_bin BENCH_POSTGRES_DATA=$cluster_data PYTHONPATH="$root/bench" PYTHONDONTWRITEBYTECODE=1
    run_process "the benchmark" python3 -m measure.builds "$@" </dev/null
}

# Drops the settings in BENCH_LEAVES_OUT: a gateway refuses settings that it does not know.
left_out() {
    local names=${BENCH_LEAVES_OUT:-}
    grep -vE "^(${names// /|})="
}

usage() {
    say "bench/builds.sh BUILD…: compares release builds, each a folder with the two programs, or FOLDER,NAME=VALUE…."
    exit 2
}

main "$@"
