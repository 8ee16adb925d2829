# shellcheck shell=bash
# Runs the tests of clients/swift against a gateway and a provider simulator of their own, those of samples/ios, and those
# of an app that takes the client by address and version.
#
# Needs common.sh, an open cluster and built programs in $scratch.

client_package="$root/clients/swift"
for_apps=(env LOGIN_GATEWAY_CLIENT=1)

# run_client_tests [ARGUMENT…]: adds to the `events` and the `status` of its caller.
run_client_tests() {
    start_client_gateway
    run_package_tests "the client" "$client_package" "$@"
}

# run_sample_tests [ARGUMENT…]: the same for the logic of the iOS sample, which needs no gateway.
run_sample_tests() {
    run_package_tests "the iOS sample" "$root/samples/ios/SampleLogic" "$@"
}

# run_app_tests [ARGUMENT…]: the same for an app that takes the client by address and version.
run_app_tests() {
    local file
    file=$(mktemp "${TMPDIR:-/tmp}/test-events.XXXXXX")
    when_stopping rm -f "$file"
    events+=("$file")
    run_watched "the tests of an app" "$file" "$root/scripts/test-client-package.sh" \
        --event-stream-output-path "$file" "$@" || status=$?
}

# run_package_tests NAME PACKAGE [ARGUMENT…]: the packages share one folder of build products, so that the client is
# built once. They take it from the root of the repository, as apps do.
run_package_tests() {
    local name=$1 file flags
    file=$(mktemp "${TMPDIR:-/tmp}/test-events.XXXXXX")
    when_stopping rm -f "$file"
    events+=("$file")
    flags=(--package-path "$2" -Xswiftc -warnings-as-errors --scratch-path "$client_package/.build${SANITIZER:+-$SANITIZER}"
        "${development_flags[@]}")
    [[ -z ${SANITIZER:-} ]] || flags+=(--sanitize "$SANITIZER")
    run_process "the build of $name" "${for_apps[@]}" swift build --build-tests "${flags[@]}" </dev/null >&2 || {
        status=$?
        return
    }
    run_watched "the tests of $name" "$file" "${for_apps[@]}" swift test --skip-build --disable-xctest "${flags[@]}" \
        --event-stream-output-path "$file" "${@:3}" </dev/null || status=$?
}

# Builds samples/api with its own manifest, for the tests that start it.
build_sample_api() {
    run_process "the build of samples/api" swift build --package-path "$root/samples/api" "${development_flags[@]}" </dev/null >&2 ||
        fail "samples/api could not be built: the compiler's messages are above."
}

# Sets the variables that the tests read: see Tests/GatewayClientTests/Server/Server.swift of the package.
start_client_gateway() {
    local folder port simulator_port
    folder=$(mktemp --directory "${TMPDIR:-/tmp}/client-gateway.XXXXXX")
    when_stopping rm -rf "$folder"
    read -r port simulator_port < <(free_ports)
    start_process "the provider simulator" "$scratch/debug/provider-simulator" --port "$simulator_port" \
        >"$folder/simulator.log" 2>&1 </dev/null
    wait_until 30 "$started_pid" save_apple_key "$simulator_port" "$folder/apple.pem" ||
        fail "The provider simulator for the client's tests did not start: $(tail -n 5 "$folder/simulator.log")"
    cluster_grant client_tests
    client_environment "$folder" "$port" "$simulator_port" >"$folder/.env"
    chmod 600 "$folder/.env"
    serve_client_gateway "$folder" "$port"
    export GATEWAY_CLIENT_TEST_URL="http://localhost:$port" GATEWAY_CLIENT_TEST_MAILS="$folder/mail"
    export GATEWAY_CLIENT_TEST_SIMULATOR="http://127.0.0.1:$simulator_port"
}

serve_client_gateway() {
    local gateway="$scratch/debug/gateway"
    (cd "$1" && exec "$gateway" migrate) >"$1/gateway.log" 2>&1 </dev/null ||
        fail "The database of the client's tests could not be migrated: $(tail -n 5 "$1/gateway.log")"
    start_process "the gateway of the client's tests" env --chdir "$1" "$gateway" serve >>"$1/gateway.log" 2>&1 </dev/null
    wait_until 60 "$started_pid" answers_ok "http://127.0.0.1:$2/health/ready" ||
        fail "The gateway of the client's tests did not start: $(tail -n 5 "$1/gateway.log")"
}

save_apple_key() {
    (umask 077 && curl --silent --fail --noproxy '*' "http://127.0.0.1:$1/control/apple-private-key" >"$2")
}

# Two ports that were free a moment ago. Both must be known before the start: the issuer's address has the first.
free_ports() {
    python3 -c 'import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(one.getsockname()[1] for one in sockets))'
}

# client_environment FOLDER PORT SIMULATOR_PORT: the settings of .env.example, with limits out of the way.
client_environment() {
    local changes
    changes="PORT=$2 OPS_PORT=0 PUBLIC_URL=http://localhost:$2 MAIL_DIRECTORY=$1/mail PROVIDER_TIMEOUT_SECONDS=60"
    changes+=" REQUEST_TIMEOUT_SECONDS=60 HASH_MEMORY_KIB=7168 HASH_ITERATIONS=1 THROTTLE_ADDRESS_BURST=1000000"
    changes+=" THROTTLE_MAIL_ADDRESS_PER_HOUR=1000000 THROTTLE_WRONG_ADDRESS_PER_HOUR=1000000"
    changes+=" THROTTLE_LINK_ADDRESS_PER_HOUR=1000000 HASH_QUEUE=8192"
    fill_in_environment | awk -v changes="$changes" -v key="$1/apple.pem" -v simulator=":$3/" '
        BEGIN { count = split(changes, list, " "); for (n = 1; n <= count; n++) { name = list[n]; sub(/=.*/, "", name); new[name] = list[n] } }
        /^#/ || !/=/ { next }
        { name = $0; sub(/=.*/, "", name) }
        name in new { next }
        name == "APPLE_PRIVATE_KEY_FILE" { print name "=" key; next }
        { sub(/:8081\//, simulator); print }
        END { for (name in new) print new[name] }'
    printf 'DATABASE_URL=%s\n' "$(cluster_url postgres client_tests)"
}
