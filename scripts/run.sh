#!/usr/bin/env bash
# Runs the gateway on this machine, with a database and a provider simulator: `make run`.
#
# Ctrl-C stops only the programs that this script started.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

gateway="$root/.build/debug/gateway"
simulator="$root/.build/debug/provider-simulator"
local_address='^http://(([a-z0-9-]+\.)*localhost|127\.0\.0\.1):([0-9]+)/'

development_email=developer@example.com

main() {
    local begun
    begun=$(microseconds)
    cd "$root"
    (($# == 0)) || fail "This takes no argument: what can be set is in .env."
    stop_everything_at_exit
    hold_lock "$root/var/run.lock" "The gateway is already being run from $root: stop that first."

    write_environment
    read_addresses
    require_port "$http_port" "the gateway needs" "PORT in .env"
    require_port "$operations_port" "the gateway needs for health and metrics" "OPS_PORT in .env"
    require_port "$simulator_port" "the provider simulator needs" "the lines of .env that end in _ENDPOINT"
    require_swift
    install_missing_packages
    choose_database
    build_development
    build_reference

    start_simulator
    open_database
    take_development_key
    migrate_database
    start_gateway
    create_development_account
    say "Ready in $(elapsed "$begun")."
    explain
    watch
}

# The ports of .env; the providers' endpoints point to the simulator.
read_addresses() {
    local endpoint
    http_port=$(setting PORT 8080)
    operations_port=$(setting OPS_PORT 9090)
    ((operations_port != 0)) || fail "OPS_PORT is 0 in .env, and running here needs health checks: choose a port, such as 9090."
    endpoint=$(setting APPLE_ENDPOINT)
    if [[ $endpoint =~ $local_address ]]; then simulator_port=${BASH_REMATCH[3]}; else simulator_port=8081; fi
    mkdir -p "$root/var/log"
}

# The API reference for /docs takes half a second. Without Node, /docs names the command that installs it.
build_reference() {
    command -v node >/dev/null || return 0
    node "$root/scripts/reference/build.mjs" >/dev/null || say "The API reference could not be built: the reason is above."
}

start_simulator() {
    start_process "the provider simulator" "$simulator" --port "$simulator_port" >"$root/var/log/simulator.log" 2>&1 </dev/null
    simulator_pid=$started_pid
}

# DATABASE_URL of the environment wins over .env. It may have been exported for another use.
choose_database() {
    local exported=${DATABASE_URL:-} words
    DATABASE_URL=$(setting DATABASE_URL)
    # An earlier run printed it for export: our own cluster, which this run opens itself.
    if [[ -n $DATABASE_URL ]] && cluster_is_named_by postgres "$DATABASE_URL"; then DATABASE_URL=''; fi
    if [[ -z $DATABASE_URL ]]; then
        require_postgres
    elif [[ -n $exported && $exported != "$(DATABASE_URL='' setting DATABASE_URL)" ]]; then
        words=$(database_in_words "$DATABASE_URL") || words='another database'
        say "Using $words, as DATABASE_URL of the environment says: 'unset DATABASE_URL' for what .env says."
    fi
}

# A private cluster unless DATABASE_URL names a database. In it the gateway has the same few rights as in production.
open_database() {
    migrate_url=$DATABASE_URL
    if [[ -z $DATABASE_URL ]]; then
        cluster_open postgres
        cluster_grant login
        DATABASE_URL=$(cluster_url gateway_serve login)
        migrate_url=$(cluster_url gateway_migrate login)
    fi
    export DATABASE_URL
}

migrate_database() {
    DATABASE_URL=$migrate_url "$gateway" migrate >"$root/var/log/migrate.log" 2>&1 </dev/null || {
        cat "$root/var/log/migrate.log" >&2
        fail "The database could not be migrated: the reason is above."
    }
    # Grants rights on the new tables.
    if [[ -n ${cluster_socket:-} ]]; then cluster_grant login; fi
}

# The simulator checks Apple's client secrets strictly: it has the public half of the key that the gateway signs with.
take_development_key() {
    local file=$apple_development_key address="http://127.0.0.1:$simulator_port/control/apple-private-key"
    [[ $(setting APPLE_PRIVATE_KEY_FILE) == "$file" ]] || return 0
    wait_until 10 "$simulator_pid" answers_ok "$address" || {
        cat "$root/var/log/simulator.log" >&2
        fail "The provider simulator did not start: its messages are above."
    }
    (umask 077 && curl --silent --fail --noproxy '*' "$address" >"$file.new" && mv "$file.new" "$file")
}

start_gateway() {
    # The log goes to the terminal and to a file. The copying process outlives Ctrl-C, so that the last lines are kept too.
    exec 8> >(trap '' INT TERM HUP && exec tee --output-error=warn "$root/var/log/gateway.log" 9>&-)
    start_process "the gateway" "$gateway" serve >&8 2>&1 </dev/null
    exec 8>&-
    gateway_pid=$started_pid
    wait_until 15 "$gateway_pid" answers_ok "http://127.0.0.1:$operations_port/health/ready" ||
        fail "The gateway did not become ready: its messages are above."
}

# In a private database: creates an account with a password once, for the sign-in line with a password.
create_development_account() {
    [[ -n ${cluster_home:-} ]] || return 0
    password_file=$cluster_home/development-password
    [[ ! -f $password_file ]] || return 0
    local password
    password=$(fresh_secret)
    if printf '%s\n' "$password" | "$gateway" accounts create --email "$development_email" --name Developer >/dev/null; then
        (umask 077 && printf '%s' "$password" >"$password_file")
    fi
}

# One line to paste for each provider.
explain() {
    local endpoint provider client_id post
    client_id=$(setting CLIENT_ID app)
    post="curl -s localhost:$http_port/v1/sign-in -H 'content-type: application/json' -d"
    printf '\nThe gateway is on http://localhost:%s. Paste a line into another terminal to sign in:\n\n' "$http_port"
    # The last part of an endpoint's path is the provider's name at the simulator. Sections of .env whose heading ends
    # with "for browsers" are of providers that take nothing from apps.
    while read -r endpoint; do
        endpoint=$(setting "$endpoint")
        [[ $endpoint =~ $local_address ]] || continue
        provider=${endpoint##*/}
        printf "curl -s 'localhost:%s/control/sign-in/%s?app=%s' | %s @-\n" "$simulator_port" "$provider" "$client_id" "$post"
    done < <(awk -F= '/^# ---/ { skip = /for browsers/ } !skip && /^[A-Z_]+_ENDPOINT=/ { print $1 }' "$root/.env")
    if [[ -f ${password_file:-} ]]; then
        printf "%s '{\"provider\":\"password\",\"client_id\":\"%s\",\"credential\":{\"username\":\"%s\",\"password\":\"%s\"}}'\n" \
            "$post" "$client_id" "$development_email" "$(<"$password_file")"
    fi
    printf '\nOr in a browser: http://localhost:%s/account\n' "$http_port"
    printf 'The API reference: http://localhost:%s/docs\n' "$http_port"
    if [[ -n ${cluster_home:-} ]]; then
        printf "\nFor gateway's other commands: export DATABASE_URL='%s'\n" "$DATABASE_URL"
    fi
    printf 'Ctrl-C stops everything.\n\n'
}

# Until one of them ends, or a signal comes.
watch() {
    local ended status=0 terminal_pid=
    trap 'exit 0' INT
    if [[ -t 0 ]]; then
        # `make` does not pass on the hang-up that it gets as the first process of a terminal: check for it.
        while [[ -t 0 ]]; do sleep 2; done <&0 9>&- &
        terminal_pid=$!
        when_stopping kill "$terminal_pid"
    fi
    wait -n -p ended "$simulator_pid" "$gateway_pid" $terminal_pid || status=$?
    case $ended in
        "$gateway_pid")
            fail "The gateway ended (status $status): its last messages are above and in var/log/gateway.log."
            ;;
        "$simulator_pid") fail "The provider simulator ended (status $status): see var/log/simulator.log." ;;
        *) exit 129 ;;
    esac
}

main "$@"
