#!/usr/bin/env bash
# Compares two versions of the schema: bench/paired.sh BEFORE [AFTER]. Each is a commit; AFTER may be left out and is the
# folder as it is then. Prints what a sign-in and a refresh write and take of PostgreSQL's processor time in both.
#
# BENCH_RUNS (5) is the number of rounds. bench/README.md has the method and the figures.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"

main() {
    [[ $# -ge 1 && $# -le 2 && $1 != -* ]] || usage
    cd "$root"
    stop_everything_at_exit
    hold_lock "$root/var/bench.lock" "The benchmark is already being run from $root: wait for it to end."
    install_missing_packages
    export BENCH_FOLDER="$root/var/measure" BENCH_ROOT=$root BENCH_RUNS=${BENCH_RUNS:-5}
    rm -rf "$BENCH_FOLDER"
    (umask 077 && mkdir -p "$BENCH_FOLDER/before")
    unpack "$1" "$BENCH_FOLDER/before"
    export BENCH_BEFORE_FOLDER=$BENCH_FOLDER/before BENCH_AFTER_FOLDER=$root
    if [[ -n ${2:-} ]]; then
        mkdir "$BENCH_FOLDER/after"
        unpack "$2" "$BENCH_FOLDER/after"
        BENCH_AFTER_FOLDER=$BENCH_FOLDER/after
    fi

    cluster_discard paired
    # A page image is of the first change after a checkpoint, wherever that falls; an automatic vacuum would be of one version.
    cluster_open paired 'max_wal_size = 4GB' 'full_page_writes = off' 'autovacuum = off'
    when_stopping cluster_remove
    cluster_sql postgres --command 'create database before' --command 'create database after'
    BENCH_BEFORE_URL=$(cluster_url postgres before)
    BENCH_AFTER_URL=$(cluster_url postgres after)
    BENCH_ADMINISTRATOR_URL=$(cluster_url postgres postgres)
    export BENCH_BEFORE_URL BENCH_AFTER_URL BENCH_ADMINISTRATOR_URL
    export BENCH_POSTGRES_BIN=$cluster_bin BENCH_POSTGRES_DATA=$cluster_data PYTHONPATH="$root/bench" PYTHONDONTWRITEBYTECODE=1
    run_process "the benchmark" python3 -m measure.paired </dev/null
}

usage() {
    say "bench/paired.sh BEFORE [AFTER]: compares the schemas of two commits, or of one and this folder."
    exit 2
}

# unpack COMMIT FOLDER: the schema and the statements of a commit.
unpack() {
    git rev-parse --quiet --verify "$1^{commit}" >/dev/null || fail "$1 is no commit of this repository."
    git archive "$1" Sources/Postgres bench/sql | tar --extract --directory "$2"
}

main "$@"
