#!/usr/bin/env bash
# Tries an upgrade (`make test-upgrade`): two neighbouring versions serve one database before, during and after `gateway
# migrate`, while users sign in, refresh and sign out at both: test-upgrade.sh [FOLDER]. docs/upgrading.md has the rules.
#
# FOLDER has the new programs with their resources; without it this checkout is built. There are two runs:
#
# 1. A rehearsal without another build. This version is the old one; the new one has a migration and a changed function more.
# 2. The previous version is the old one: PREVIOUS=FOLDER, or PREVIOUS_REVISION=REVISION, which is built once, in some minutes.
#    The default is the last tag gateway-…, else the revision in .ci/previous-landing. PREVIOUS=none leaves this run out.
#
# UPGRADE_SECONDS (5) is the length of a state.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

main() {
    [[ ${1:-} != --help ]] || usage
    (($# < 2)) || fail "This takes one folder with a built gateway."
    cd "$root"
    stop_everything_at_exit
    hold_lock "$root/var/test-upgrade.lock" "The upgrade is already being tried from $root: wait for that run to end."
    install_missing_packages
    command -v python3 >/dev/null || install_packages python3
    [[ -n ${1:-} ]] || build_development
    built=$(cd "${1:-.build/debug}" && pwd -P)
    work=$root/var/upgrade
    rm -rf "$work"
    (umask 077 && mkdir -p "$work")

    make_next_version
    try "This version and a next one" "$built" "$work/next"
    choose_previous
    [[ -z $previous ]] || try "The previous version and this one" "$previous" "$built"
}

usage() {
    sed --quiet '2,/^set/ s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit
}

# The next version: a column more in two busy tables, and a hot function that writes into a new table. The function has its
# owner's rights, because the serving role gets its own on that table later.
make_next_version() {
    local next=$work/next resources file number
    mkdir -p "$next"
    cp --link "$built"/{gateway,provider-simulator} "$next/" 2>/dev/null || cp "$built"/{gateway,provider-simulator} "$next/"
    cp --recursive "$built"/*.resources "$next/"
    resources=$(dirname "$(find "$next" -path '*/Schema/0001_*')")
    number=$(find "$resources" -name '0*.sql' | wc --lines)
    cat >"$resources/$(printf '%04d' $((number + 1)))_next.sql" <<'SQL'
alter table sessions add column next_version bigint;
alter table accounts add column next_version bigint;
create table next_version (at timestamptz not null default now());
SQL
    file=$resources/../Functions/sessions/rotate_refresh_token.sql
    sed --in-place --expression 's/^language plpgsql as/language plpgsql security definer set search_path = public, pg_temp as/' \
        --expression '0,/^begin$/ s/^begin$/begin\n    insert into next_version default values;/' "$file"
    if ! grep --quiet 'insert into next_version' "$file" || ! grep --quiet 'security definer' "$file"; then
        fail "rotate_refresh_token.sql has another form: change what the next version replaces in it."
    fi
}

# Sets $previous to the folder of the previous program, or to nothing.
choose_previous() {
    local revision tag reason
    previous=${PREVIOUS:-}
    if [[ $previous == none ]]; then
        previous=''
    elif [[ -n $previous ]]; then
        [[ -d $previous ]] || previous=$(dirname "$previous")
        [[ -x $previous/gateway ]] || fail "PREVIOUS names $PREVIOUS, where no gateway is."
        previous=$(cd "$previous" && pwd -P)
    else
        tag=$(git describe --tags --abbrev=0 --match 'gateway-*' HEAD^ 2>/dev/null || true)
        revision=${PREVIOUS_REVISION:-${tag:-$(cat .ci/previous-landing 2>/dev/null || true)}}
        reason=$(why_not "$revision" "$tag")
        if [[ -n $reason ]]; then say "The previous version is not tried: $reason"; else build_previous "$(git rev-parse "$revision")"; fi
    fi
}

# why_not REVISION TAG: the reason against trying that revision, if there is one. Before the first release, schema files may be
# edited in place: the databases of an earlier revision end there.
why_not() {
    local edited
    if [[ -z $1 ]]; then
        printf 'neither a release tag nor .ci/previous-landing names it.'
    elif ! git rev-parse --quiet --verify "$1^{commit}" >/dev/null; then
        printf 'this clone has no revision %s.' "$1"
    else
        edited=$(git diff --name-only --diff-filter=a "$1" -- Sources/Postgres/Schema | tr '\n' ' ')
        if [[ -n $edited ]]; then
            [[ $1 != "$2" ]] || fail "These files were edited after the release $2: put them back, and add a file instead: $edited"
            printf 'the schema of %s is no starting point. These files were edited in place since: %s' "$1" "$edited"
        elif git diff --quiet "$1" -- Sources Package.swift; then
            printf '%s has the same sources.' "$1"
        fi
    fi
}

# build_previous REVISION: builds it once; later runs find it in var/previous.
build_previous() {
    local folder=$root/var/previous begun
    previous=$folder/$1
    [[ ! -x $previous/gateway ]] || return 0
    require_swift
    require_disk 3 "The build of the previous version"
    say "Building the previous version, ${1:0:8}: 3 to 7 minutes, once."
    begun=$(microseconds)
    rm -rf "$folder"
    mkdir -p "$folder"
    git worktree prune
    git worktree add --detach --quiet "$folder/tree" "$1"
    when_stopping git worktree remove --force "$folder/tree"
    run_process "the build" swift build --package-path "$folder/tree" "${development_flags[@]}" --product gateway </dev/null \
        > >(show_build_progress yes >&2) 2>&1 || fail "The previous version could not be built: the compiler's messages are above."
    mkdir "$previous"
    cp --recursive "$folder"/tree/.build/debug/*.resources "$folder/tree/deploy/postgres/roles.sql" "$previous/"
    cp "$folder/tree/.build/debug/gateway" "$previous/"
    say "Built in $(elapsed "$begun")."
}

# try WORDS OLD NEW
try() {
    say "$1."
    cluster_in_memory 8
    cluster_discard upgrade
    cluster_open upgrade 'max_connections = 200'
    when_stopping cluster_remove
    cluster_grant login
    export BENCH_ROOT=$root BENCH_FOLDER=$work/run BENCH_BINARIES=$built BENCH_POSTGRES_BIN=$cluster_bin BENCH_POSTGRES_DATA=$cluster_data
    BENCH_ADMINISTRATOR_URL=$(cluster_url postgres login)
    BENCH_MIGRATE_URL=$(cluster_url gateway_migrate login)
    BENCH_SERVE_URL=$(cluster_url gateway_serve login)
    export BENCH_ADMINISTRATOR_URL BENCH_MIGRATE_URL BENCH_SERVE_URL PYTHONPATH="$root/bench" PYTHONDONTWRITEBYTECODE=1
    rm -rf "$BENCH_FOLDER"
    (umask 077 && mkdir "$BENCH_FOLDER")
    (umask 077 && fill_in_environment >"$BENCH_FOLDER/new.env")
    (umask 077 && known_settings "$2" "$BENCH_FOLDER/new.env" >"$BENCH_FOLDER/old.env")
    run_process "the upgrade" python3 -m measure.upgrade "$2" "$3" </dev/null || fail "$1 don't serve one database together: the reasons are above, the logs in $work/run."
    cluster_remove
}

main "$@"
