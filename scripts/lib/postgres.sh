# shellcheck shell=bash
# A private PostgreSQL cluster: reached through a Unix socket of its owner (and root), never through the network, never
# run by root.

# The oldest major version that the gateway works with.
postgres_minimum=15

# The newest folder with a new enough PostgreSQL server, or the one of the given major version; empty when there is none.
# PG_BIN names another folder for new clusters; an old cluster keeps its version.
postgres_binaries() {
    local wanted=${1:-} folder major
    while IFS=' ' read -r major folder; do
        if [[ $major == "$wanted" || (-z $wanted && $major -ge $postgres_minimum) ]]; then
            [[ -n $wanted || -z ${PG_BIN:-} || $folder == "$PG_BIN" ]] || return 0
            printf '%s' "$folder"
            return
        fi
    done < <(postgres_installed)
}

# The major version and the folder of each PostgreSQL server: the one in PG_BIN, then the newest first.
postgres_installed() {
    local folder
    while IFS= read -r folder; do
        if [[ -x $folder/initdb && $("$folder/postgres" --version) =~ \)\ ([0-9]+) ]]; then
            printf '%s %s\n' "${BASH_REMATCH[1]}" "$folder"
        fi
    done < <(
        if [[ -n ${PG_BIN:-} ]]; then printf '%s\n' "$PG_BIN"; fi
        printf '%s\n' /usr/lib/postgresql/*/bin | sort --version-sort --reverse
        if command -v initdb >/dev/null; then dirname "$(readlink -f "$(command -v initdb)")"; fi
    )
}

# Fails with the versions that are installed, where no server is new enough.
require_postgres() {
    local newest
    [[ -z $(postgres_binaries) ]] || return 0
    [[ -z ${PG_BIN:-} ]] ||
        fail "PG_BIN is $PG_BIN, which has no initdb and postgres of version $postgres_minimum or newer: name another folder, or leave PG_BIN out."
    read -r newest _ < <(postgres_installed) || newest=none
    fail "PostgreSQL $postgres_minimum or newer is needed, and the newest server here is $newest: install the package postgresql-$postgres_minimum or a newer one (apt.postgresql.org has them for older systems)."
}

# Runs a command as the owner of the clusters: the current user, or `postgres` where that is root.
as_cluster_owner() {
    if ((EUID == 0)); then
        (cd / && exec runuser -u postgres -- "$@")
    else
        "$@"
    fi
}

# The start of the path of each cluster's folder; see cluster_in_memory.
cluster_prefix=$root/var/

# cluster_in_memory GIB: puts the clusters of this script into memory, if so much of it is free.
cluster_in_memory() {
    local free
    free=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
    ((free >= $1)) && [[ -d /dev/shm ]] || return 0
    free=$(df --output=avail --block-size=1G /dev/shm | tail -n 1)
    ((free >= $1)) || return 0
    cluster_prefix=/dev/shm/$(checkout_name)-
}

# cluster_open NAME [SETTING…]: makes the cluster NAME if need be and starts it. A setting is a line of
# postgresql.conf. Sets $cluster_home, $cluster_data and $cluster_socket; stops the cluster when the script ends.
cluster_open() {
    local name=$1
    shift
    # The user's own settings for PostgreSQL must not change our commands.
    unset PGHOST PGHOSTADDR PGPORT PGDATABASE PGUSER PGPASSWORD PGPASSFILE PGSERVICE PGSERVICEFILE PGOPTIONS PGSSLMODE PGDATA
    cluster_place "$name"
    cluster_binaries_for "$cluster_data"
    require_new_enough "$cluster_data"
    [[ -f $cluster_data/PG_VERSION ]] || cluster_create
    cluster_configure "$@"
    when_stopping cluster_stop
    # A running server remains of a killed script: the lock shows that no other script uses it.
    cluster_running || cluster_start
}

# Chooses the places of data and socket and makes the folders.
cluster_place() {
    local owner home=$cluster_prefix$1
    owner=$(id -un)
    mkdir -p "$root/var"
    if ((EUID == 0)); then
        id -u postgres >/dev/null 2>&1 ||
            fail "PostgreSQL never runs as root and this system has no user 'postgres': install the package postgresql."
        owner=postgres
        if ! as_cluster_owner test -x "${cluster_prefix%/*}"; then
            home=$(getent passwd postgres | cut -d: -f6)/$(checkout_name)-$1
        fi
    fi
    cluster_home=$home cluster_data=$home/data cluster_socket=$home/socket
    [[ -d $home ]] || install -d -m 0700 -o "$owner" "$home"
    # A socket's whole path must fit into 107 bytes.
    if (($(printf '%s/.s.PGSQL.5432' "$cluster_socket" | wc -c) > 107)); then
        cluster_socket=/tmp/$(checkout_name)-$1
    fi
    [[ -d $cluster_socket ]] || as_cluster_owner mkdir -m 0700 "$cluster_socket"
    [[ $(stat -c '%U %a' "$cluster_socket") == "$owner 700" ]] ||
        fail "$cluster_socket belongs to another user: remove it and try again."
}

# Sets $cluster_bin: an existing cluster needs the major version that made it.
cluster_binaries_for() {
    local version=''
    if [[ -f $1/PG_VERSION ]]; then version=$(<"$1/PG_VERSION"); fi
    cluster_bin=$(postgres_binaries "$version")
    [[ -z $cluster_bin ]] || return 0
    [[ -n $version ]] || require_postgres
    fail "$1 was made by PostgreSQL $version, which is no longer installed: install postgresql-$version, or move that folder away."
}

# require_new_enough DATA: fails for a cluster of an older version.
require_new_enough() {
    local version
    [[ -f $1/PG_VERSION ]] || return 0
    version=$(<"$1/PG_VERSION")
    ((${version%%.*} >= postgres_minimum)) ||
        fail "$1 was made by PostgreSQL $version, and $postgres_minimum or newer is needed: move that folder away."
}

cluster_create() {
    local reason=''
    [[ $cluster_home == "$cluster_prefix"* ]] || reason=", since the user postgres may not enter $root"
    say "Creating a private PostgreSQL cluster in $cluster_home$reason."
    # Made under another name first: a half-made cluster must not pass for a whole one.
    as_cluster_owner rm -rf "$cluster_data.new"
    as_cluster_owner "$cluster_bin/initdb" --pgdata "$cluster_data.new" --username postgres --encoding UTF8 \
        --locale C.UTF-8 --auth-local trust --auth-host reject --no-instructions >/dev/null ||
        fail "PostgreSQL could not make its files in $cluster_home: its message is above."
    as_cluster_owner mv "$cluster_data.new" "$cluster_data"
    printf "include_if_exists = 'private.conf'\n" | as_cluster_owner tee -a "$cluster_data/postgresql.conf" >/dev/null
}

# Written at each start: the checkout may have moved.
cluster_configure() {
    local socket=${cluster_socket//\'/\'\'}
    {
        printf "listen_addresses = ''\nunix_socket_directories = '\"%s\"'\nunix_socket_permissions = 0700\nport = 5432\n" "$socket"
        printf '%s\n' "$@"
    } | as_cluster_owner tee "$cluster_data/private.conf" >/dev/null
}

# Whether the process of postmaster.pid is this cluster's server: it works in the data folder.
cluster_running() {
    local pid
    pid=$(cluster_pid) || return 1
    [[ $(as_cluster_owner readlink -f "/proc/$pid/cwd" 2>/dev/null) == "$(as_cluster_owner readlink -f "$cluster_data")" ]]
}

# The process of postmaster.pid, if its owner could have started it.
cluster_pid() {
    local pid
    pid=$(as_cluster_owner head -n 1 "$cluster_data/postmaster.pid" 2>/dev/null) || return 1
    [[ $pid =~ ^[1-9][0-9]*$ ]] && as_cluster_owner bash -c 'kill -0 "$0"' "$pid" 2>/dev/null && printf '%s' "$pid"
}

cluster_start() {
    # After a crash another program may have the same process id, and PostgreSQL would refuse to start.
    if cluster_pid >/dev/null; then as_cluster_owner rm -f "$cluster_data/postmaster.pid"; fi
    # In its own session: Ctrl-C on the terminal doesn't reach it, so the script can stop it last.
    as_cluster_owner setsid --wait "$cluster_bin/pg_ctl" --pgdata "$cluster_data" --log "$cluster_home/log" --wait --silent start \
        </dev/null 9>&- || {
        as_cluster_owner tail -n 10 "$cluster_home/log" >&2
        fail "PostgreSQL did not start: the end of $cluster_home/log is above."
    }
}

cluster_stop() {
    cluster_running || return 0
    as_cluster_owner "$cluster_bin/pg_ctl" --pgdata "$cluster_data" --mode fast --wait --silent stop
}

# cluster_discard NAME: removes the cluster var/NAME, running or not, if there is one.
cluster_discard() {
    cluster_place "$1"
    if [[ -f $cluster_data/PG_VERSION ]]; then cluster_binaries_for "$cluster_data"; fi
    cluster_remove
}

# Removes the open cluster: for one that was made for a single run.
cluster_remove() {
    if [[ -f $cluster_data/PG_VERSION ]]; then cluster_stop; fi
    as_cluster_owner rm -rf "$cluster_data" "$cluster_socket"
    rm -rf "$cluster_home"
}

# cluster_url ROLE DATABASE: the connection string.
cluster_url() { printf 'postgresql://%s@/%s?host=%s&port=5432' "$1" "$2" "$(percent_encode "$cluster_socket")"; }

# cluster_is_named_by NAME URL: whether the connection string names the cluster var/NAME.
cluster_is_named_by() {
    local url=${2,,} socket encoded
    [[ $url =~ [=@\']\ *(/|%2f) ]] || return 1
    # Without its owner there is no such cluster.
    ((EUID != 0)) || id -u postgres >/dev/null 2>&1 || return 1
    socket=$(cluster_place "$1" 2>/dev/null && printf '%s' "$cluster_socket") || return 1
    encoded=$(percent_encode "$socket")
    for socket in "${socket,,}" "${encoded,,}"; do
        [[ "$url&" != *[=@\']"$socket"[\&/?\'\ ,:]* ]] || return 0
    done
    return 1
}

# cluster_sql DATABASE [PSQL ARGUMENT…]: runs psql as the cluster's administrator; stops at the first error.
cluster_sql() {
    local database=$1
    shift
    "$cluster_bin/psql" --no-psqlrc --quiet --set ON_ERROR_STOP=1 --dbname "$(cluster_url postgres "$database")" "$@"
}

# cluster_has_database NAME
cluster_has_database() {
    [[ $(cluster_sql postgres --tuples-only --no-align --command "select 1 from pg_database where datname = '$1'") == 1 ]]
}

# cluster_grant DATABASE: makes the database if need be, and both roles with the rights of production.
cluster_grant() {
    cluster_has_database "$1" || cluster_sql postgres --command "create database \"$1\""
    cluster_sql "$1" --file "$root/deploy/postgres/roles.sql" >/dev/null
}

# A fresh cluster for tests, removed after the run; sets TEST_DATABASE_URL. Each test makes its own databases in it, so it
# allows many connections; its data need no disk flush. It is in memory where possible: ext4 searches long for the place of
# a new file after many files were removed, and each database has hundreds.
open_test_cluster() {
    cluster_in_memory 8
    cluster_discard test
    # Tests that read the log need its last records after a checkpoint, too.
    cluster_open test 'max_connections = 500' 'fsync = off' 'full_page_writes = off' 'autovacuum_naptime = 10s' \
        'wal_keep_size = 256MB'
    when_stopping cluster_remove
    TEST_DATABASE_URL=$(cluster_url postgres postgres)
    export TEST_DATABASE_URL
    unset DATABASE_URL
}
