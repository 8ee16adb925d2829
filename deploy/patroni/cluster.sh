#!/usr/bin/env bash
# A PostgreSQL primary with replicas under automatic fail-over by Patroni and etcd, all of it on the loopback of one
# machine: for tries of a fail-over, and for the tests. docs/operations.md lists what production needs in addition.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib/common.sh"
# shellcheck source=deploy/patroni/configuration.sh
source "$root/deploy/patroni/configuration.sh"

usage() {
    cat <<'END'
Usage: deploy/patroni/cluster.sh COMMAND [OPTION…]

Commands
  start          makes the cluster, or starts a kept one; ready once every commit waits for a synchronous replica
  status         lists the members, their roles and their lag
  primary        prints the name of the primary
  url            prints DATABASE_URL for `gateway serve`; --role names another role
  roles          runs deploy/postgres/roles.sql on the primary: after each `gateway migrate`
  switch         hands the primary's part to the synchronous replica, as before the maintenance of a machine.
                 Prints the name of the new primary
  kill NAME      kills a member and its Patroni at once (SIGKILL), as the loss of its machine would;
                 `primary` means the present primary. Prints the member's name
  revive NAME    starts a killed member again: it comes back as a replica
  stop           stops everything and removes the folder; --keep keeps it for the next start

Options
  --folder PATH       where everything is kept               (/var/tmp/login-patroni)
  --replicas N        replicas beside the primary, 1 to 8    (2)
  --port N            the first member's PostgreSQL; the next members take the next ports   (15432)
  --rest-port N       the same for Patroni's REST interface  (18008)
  --etcd-port N       etcd; its peers' port is the next one  (12379)
  --ttl SECONDS       how long a primary keeps its lease without a sign of life, at least 20   (20)
  --patience SECONDS  how long to wait for the cluster       (180)
  --role ROLE         gateway_serve, gateway_migrate or postgres   (gateway_serve)
  --with PROCESS      start, and stop everything once the process of that number has ended
  --keep              stop, and keep the folder
  --help              this text

The first start sets the ports, the number of replicas and the lease; later commands need --folder alone.
Root runs everything as the user postgres. PG_BIN names the folder of another PostgreSQL's programs.
END
}

main() {
    command=${1:-} subject=''
    [[ -n $command ]] || {
        usage >&2
        exit 64
    }
    shift
    read_options "$@"
    case $command in
        start) start_cluster ;;
        status) as_reader && print_status ;;
        primary) as_reader && primary ;;
        url) as_reader && print_url "$role" ;;
        roles) as_reader && apply_roles ;;
        switch) as_reader && switch_primary ;;
        kill) as_reader && choose_member && kill_member "$member" ;;
        revive) as_reader && choose_member && revive_member "$member" ;;
        stop) stop_cluster ;;
        help | -h | --help) usage ;;
        *) fail "There is no command '$command': --help lists them." ;;
    esac
}

read_options() {
    folder=/var/tmp/login-patroni replicas=2 port=15432 rest_port=18008 etcd_port=12379 ttl=20
    patience=180 role=gateway_serve keep=no companion=''
    while (($# > 0)); do
        case $1 in
            --folder) folder=$(value "$@") ;;
            --replicas) replicas=$(number "$@") ;;
            --port) port=$(number "$@") ;;
            --rest-port) rest_port=$(number "$@") ;;
            --etcd-port) etcd_port=$(number "$@") ;;
            --ttl) ttl=$(number "$@") ;;
            --patience) patience=$(number "$@") ;;
            --role) role=$(value "$@") ;;
            --with) companion=$(value "$@") ;;
            --keep) keep=yes && shift && continue ;;
            -h | --help) usage && exit 0 ;;
            -*) fail "There is no option '$1': --help lists them." ;;
            *) [[ -z $subject ]] || fail "'$1' is one word too many: --help shows the form."
                subject=$1 && shift && continue ;;
        esac
        shift 2
    done
    [[ $folder == /* ]] || folder=$PWD/$folder
    [[ $folder =~ ^/[A-Za-z0-9._/-]+$ ]] || fail "--folder may have letters, digits and ._-/ only, not '$folder'."
    ((replicas >= 1 && replicas <= 8)) || fail "--replicas is 1 to 8, not $replicas."
    ((ttl >= 20)) || fail "--ttl is at least 20 seconds: Patroni takes a slow primary for dead below that."
    [[ -z $companion || $companion =~ ^[1-9][0-9]{0,9}$ ]] || fail "--with needs the number of a process, not '$companion'."
    [[ $role =~ ^(gateway_serve|gateway_migrate|postgres)$ ]] ||
        fail "--role is gateway_serve, gateway_migrate or postgres, not '$role'."
}

value() {
    [[ -n ${2:-} ]] || fail "$1 needs a value: --help shows which."
    printf '%s' "$2"
}

number() {
    [[ ${2:-} =~ ^[1-9][0-9]{0,4}$ ]] || fail "$1 needs a whole number, not '${2:-}'."
    printf '%s' "$2"
}

# For every command but start: reads the choices of start.
as_reader() {
    [[ -f $folder/settings ]] ||
        fail "There is no cluster in $folder: 'start' makes one, and --folder names the folder of another."
    [[ $(stat -c %U "$folder") == "$(owner)" ]] || fail "$folder belongs to $(stat -c %U "$folder"), not to $(owner)."
    read_settings
}

# Reads the file without running it: root runs this script, and the file belongs to the user postgres.
read_settings() {
    local name value
    while IFS='=' read -r name value || [[ -n $name ]]; do
        [[ $name =~ ^(replicas|port|rest_port|etcd_port|ttl|cluster_bin|[a-z_]+_password)$ &&
            $value =~ ^[A-Za-z0-9._/-]+$ ]] || fail "$folder/settings has a line that 'start' did not write: '$name'."
        printf -v "$name" '%s' "$value"
    done < <(as_cluster_owner cat "$folder/settings")
}

owner() { if ((EUID == 0)); then printf postgres; else id -un; fi; }

# The names of all members, one a line: db1, db2 and so on.
members() { seq -f 'db%g' 1 $((replicas + 1)); }

# Sets $member to the member that the command names.
choose_member() {
    member=$subject
    if [[ $member == primary ]]; then member=$(primary) || exit 1; fi
    members | grep --quiet --line-regexp --fixed-strings -- "$member" ||
        fail "There is no member '$member': the members are $(members | paste -sd ' ')."
}

start_cluster() {
    require_programs
    if [[ -e $folder ]]; then
        as_reader
        ! is_running etcd || fail "The cluster in $folder is running already: 'stop' ends it."
    fi
    require_ports
    [[ -e $folder ]] || make_folder
    # A start that fails leaves no process behind.
    [[ -z $companion ]] || stop_after "$companion"
    trap 'status=$?; ((status == 0)) || { set +e; stop_processes TERM TERM; }; exit "$status"' EXIT
    run_as etcd "${etcd_command[@]}" --name etcd --data-dir "$folder/etcd.data" \
        --listen-client-urls "http://127.0.0.1:$etcd_port" --advertise-client-urls "http://127.0.0.1:$etcd_port" \
        --listen-peer-urls "http://127.0.0.1:$((etcd_port + 1))" \
        --initial-advertise-peer-urls "http://127.0.0.1:$((etcd_port + 1))" \
        --initial-cluster "etcd=http://127.0.0.1:$((etcd_port + 1))"
    await etcd answers_ok "http://127.0.0.1:$etcd_port/health"
    local member
    for member in $(members); do write_configuration "$member"; done
    # The first member becomes the primary of a new cluster; the primary of a kept one is in etcd.
    run_as db1 patroni "$folder/db1.yml"
    [[ -f $folder/complete ]] || await db1 member_is db1 primary
    for member in $(members | tail -n +2); do run_as "$member" patroni "$folder/$member.yml"; done
    for member in $(members); do await "$member" member_is "$member" health; done
    await db1 has_synchronous_replica
    [[ -f $folder/complete ]] || apply_roles
    as_cluster_owner touch "$folder/complete"
    say "The primary is $(primary); '$0 url --folder $folder' prints DATABASE_URL."
}

# stop_after PROCESS: waits in the background until it ends; gives up when the folder is gone.
stop_after() {
    # shellcheck disable=SC2016
    setsid bash -c 'while [[ -d $3 ]] && kill -0 "$1" 2>/dev/null; do sleep 0.5; done; exec "$2" stop --folder "$3"' \
        bash "$1" "$root/deploy/patroni/cluster.sh" "$folder" </dev/null >/dev/null 2>&1 &
}

require_programs() {
    local missing=()
    mapfile -t missing < <(missing_cluster_packages)
    ((${#missing[@]} == 0)) || fail "Missing: ${missing[*]}. Install them with 'apt-get install ${missing[*]}'."
    require_postgres
    cluster_bin=$(postgres_binaries)
    if ((EUID == 0)) && ! id -u postgres >/dev/null 2>&1; then
        fail "PostgreSQL never runs as root and this system has no user 'postgres': install the package postgresql."
    fi
    etcd_command=(etcd)
}

require_ports() {
    local index
    require_port "$etcd_port" "etcd needs" --etcd-port
    require_port $((etcd_port + 1)) "etcd's peers need" --etcd-port
    for index in $(seq 0 "$replicas"); do
        require_port $((port + index)) "a member of the cluster needs" --port
        require_port $((rest_port + index)) "Patroni needs" --rest-port
    done
}

make_folder() {
    install -d -m 0700 -o "$(owner)" "$folder" || fail "$folder could not be made: --folder names another place."
    {
        printf '%s=%s\n' replicas "$replicas" port "$port" rest_port "$rest_port" etcd_port "$etcd_port" ttl "$ttl" \
            cluster_bin "$cluster_bin"
        printf '%s_password=%s\n' postgres "$(fresh_secret)" replicator "$(fresh_secret)" rewind "$(fresh_secret)" \
            rest "$(fresh_secret)" gateway_migrate "$(fresh_secret)" gateway_serve "$(fresh_secret)"
    } | private_file "$folder/settings"
    read_settings
}

# Writes standard input to a file that only its owner may read.
# shellcheck disable=SC2016
private_file() { as_cluster_owner bash -c 'umask 077 && cat >"$1"' bash "$1"; }

# run_as NAME COMMAND…: starts it in the background, in a session of its own, with its log and its number in the folder.
run_as() {
    local name=$1
    shift
    # shellcheck disable=SC2016
    as_cluster_owner setsid bash -c 'umask 077 && echo $$ >"$1.pid" && exec "${@:2}" >>"$1.log" 2>&1' \
        bash "$folder/$name" "$@" </dev/null >/dev/null 2>&1 &
}

# The process of etcd or of a member's Patroni; false where it has ended.
process_of() {
    local number
    number=$(head -c 20 "$folder/$1.pid" 2>/dev/null) && [[ $number =~ ^[1-9][0-9]*$ ]] || return 1
    # Another program may have the same process id by now.
    grep --quiet --no-messages --text --fixed-strings -- "$folder/" "/proc/$number/cmdline" && runs "$number" || return 1
    printf '%s\n' "$number"
}

is_running() { process_of "$1" >/dev/null; }

# await NAME COMMAND…: until the command succeeds; the log of NAME shows why it did not.
await() {
    local name=$1 end=$((SECONDS + patience)) seen=no
    shift
    until "$@"; do
        if is_running "$name"; then
            seen=yes
        elif [[ $seen == yes ]]; then
            end=0
        fi
        if ((SECONDS >= end)); then
            as_cluster_owner tail -n 20 "$folder/$name.log" >&2 || true
            fail "$name is not ready: the end of its log, shown above, says why; --patience allows more time."
        fi
        sleep 0.2
    done
}

# member_is NAME STATE: whether Patroni's REST interface confirms the state: health, primary, replica or synchronous.
member_is() { answers_ok "http://127.0.0.1:$((rest_port + ${1#db} - 1))/$2"; }

primary() {
    local member
    for member in $(members); do
        if member_is "$member" primary; then
            printf '%s\n' "$member"
            return
        fi
    done
    fail "There is no primary at the moment: 'status' shows what the members are at."
}

has_synchronous_replica() {
    local member
    for member in $(members); do
        if member_is "$member" synchronous; then return; fi
    done
    return 1
}

# url_of ROLE DATABASE: a URL with every member; libpq picks the primary.
url_of() {
    local hosts password=${1}_password
    hosts=$(seq -f '127.0.0.1:%g' -s , "$port" $((port + replicas)))
    printf 'postgresql://%s:%s@%s/%s?target_session_attrs=read-write' "$1" "${!password}" "$hosts" "$2"
}

# patronictl waits for etcd without an end where etcd is gone.
print_status() {
    is_running etcd || fail "etcd is not running, so nothing can be said of the members: 'start' starts a kept cluster."
    as_cluster_owner timeout 15 patronictl -c "$folder/db1.yml" list ||
        fail "Patroni gave no answer in 15 seconds: $folder/etcd.log and the members' logs say why."
}

print_url() { printf '%s\n' "$(url_of "$1" login)"; }

# Makes the database if it is missing, and the roles with the rights that they have in production.
apply_roles() {
    local found
    found=$(as_administrator postgres --tuples-only --no-align \
        --command "select count(*) from pg_database where datname = 'login'")
    [[ $found == 1 ]] || as_administrator postgres --command 'create database login'
    # read_settings sets these two.
    # shellcheck disable=SC2154
    GATEWAY_MIGRATE_PASSWORD=$gateway_migrate_password GATEWAY_SERVE_PASSWORD=$gateway_serve_password \
        as_administrator login --file "$root/deploy/postgres/roles.sql" >/dev/null
}

# as_administrator DATABASE ARGUMENT…: psql on the primary. No other process sees its password.
as_administrator() {
    local database=$1 url
    shift
    url=$(url_of postgres "$database")
    PGPASSWORD=$postgres_password psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 \
        --dbname "${url/:$postgres_password/}" "$@"
}

# Patroni chooses the candidate: in synchronous mode it takes a synchronous replica alone.
switch_primary() {
    local before
    before=$(primary)
    as_cluster_owner timeout "$patience" patronictl -c "$folder/db1.yml" switchover login --leader "$before" --force >&2 ||
        fail "Patroni did not switch: 'status' shows what the members are at."
    await "$before" has_other_primary "$before"
    # Until then no member follows the new primary, and commits wait.
    await "$before" has_synchronous_replica
    primary
}

# Whether a member other than NAME is the primary.
has_other_primary() {
    local now
    now=$(primary 2>/dev/null) && [[ $now != "$1" ]]
}

kill_member() {
    local member=$1 patroni postmaster
    patroni=$(process_of "$member") || fail "$member is not running: 'revive' starts it."
    postmaster=$(postmaster_of "$member") || fail "$member's PostgreSQL is not running."
    # Patroni first: it would start PostgreSQL again.
    kill -KILL "$patroni"
    # shellcheck disable=SC2046
    kill -KILL "$postmaster" $(pgrep --parent "$postmaster") 2>/dev/null || true
    printf '%s\n' "$member"
}

postmaster_of() {
    local number
    number=$(head -n 1 "$folder/$1.data/postmaster.pid" 2>/dev/null) && [[ $number =~ ^[1-9][0-9]*$ ]] || return 1
    [[ $(readlink "/proc/$number/cwd") == "$folder/$1.data" ]] && printf '%s\n' "$number"
}

revive_member() {
    ! is_running "$1" || fail "$1 is running."
    run_as "$1" patroni "$folder/$1.yml"
    await "$1" member_is "$1" health
}

stop_cluster() {
    if [[ ! -e $folder ]]; then return; fi
    as_reader
    if [[ $keep == yes ]]; then
        stop_processes TERM TERM
    else
        # The data are removed, so no clean end is needed: Patroni ends first, then PostgreSQL at once on SIGQUIT.
        stop_processes KILL QUIT
        rm -rf "$folder"
    fi
}

# stop_processes SIGNAL SIGNAL: for Patroni and for PostgreSQL. Patroni stops its PostgreSQL when it is asked to end.
stop_processes() {
    local member
    # shellcheck disable=SC2046
    end_processes "$1" $(for member in $(members); do process_of "$member" || true; done)
    # shellcheck disable=SC2046
    end_processes "$2" $(for member in $(members); do postmaster_of "$member" || true; done)
    # shellcheck disable=SC2046
    end_processes TERM $(process_of etcd || true)
}

# end_processes SIGNAL NUMBER…: sends the signal, and kills after 30 seconds.
end_processes() {
    local signal=$1 number end=$((SECONDS + 30))
    shift
    for number in "$@"; do kill -"$signal" "$number" 2>/dev/null || true; done
    for number in "$@"; do
        while runs "$number" && ((SECONDS < end)); do sleep 0.1; done
        if runs "$number"; then
            # shellcheck disable=SC2046
            kill -KILL "$number" $(pgrep --parent "$number") 2>/dev/null || true
        fi
    done
}

# Whether the process runs; one that has ended and waits to be collected does not.
runs() { grep --quiet --no-messages '^State:[[:space:]][^ZX]' "/proc/$1/status"; }

main "$@"
