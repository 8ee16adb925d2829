#!/usr/bin/env bash
# Rehearses three database servers in place of one: `make rehearse-sharding`. It fails where a hot function needs a row of a
# server that it is not known to need. GROWTH_GATEWAY names a built gateway; without it the release build is made.
# docs/growth.md explains the result.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"

names=(whole shard-1 shard-2 shard-3)

main() {
    [[ $# -eq 0 ]] || usage
    cd "$root"
    stop_everything_at_exit
    hold_lock "$root/var/sharding.lock" "The rehearsal is already being run from $root: wait for it to end."
    install_missing_packages
    if [[ -z ${GROWTH_GATEWAY:-} ]]; then
        if release_is_stale gateway; then require_swift; fi
        build_release gateway
    fi
    [[ -x ${GROWTH_GATEWAY:=$root/.build/release/gateway} ]] || fail "GROWTH_GATEWAY is $GROWTH_GATEWAY, which is no program."

    export BENCH_FOLDER="$root/var/sharding" BENCH_ROOT=$root PYTHONPATH="$root/bench" PYTHONDONTWRITEBYTECODE=1
    rm -rf "$BENCH_FOLDER"
    (umask 077 && mkdir -p "$BENCH_FOLDER")
    (umask 077 && fill_in_environment >"$BENCH_FOLDER/gateway.env")
    when_stopping discard_servers
    SHARDING_URLS=
    local name
    for name in "${names[@]}"; do
        cluster_discard "$name"
        cluster_open "$name" 'track_functions = all' 'autovacuum = off'
        cluster_grant plain
        DATABASE_URL=$(cluster_url gateway_migrate plain) "$GROWTH_GATEWAY" migrate --env-file "$BENCH_FOLDER/gateway.env" >/dev/null
        cluster_grant plain
        SHARDING_URLS+=" $(cluster_url postgres plain)"
    done
    export SHARDING_URLS BENCH_ADMINISTRATOR_URL=${SHARDING_URLS##* } BENCH_POSTGRES_BIN=$cluster_bin BENCH_POSTGRES_DATA=$cluster_data
    run_process "the rehearsal" python3 -m measure.sharding </dev/null
}

discard_servers() {
    local name
    for name in "${names[@]}"; do cluster_discard "$name"; done
}

usage() {
    say "bench/sharding.sh, or make rehearse-sharding: GROWTH_GATEWAY=PROGRAM names a built gateway."
    exit 2
}

main "$@"
