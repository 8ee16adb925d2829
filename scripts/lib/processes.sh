# shellcheck shell=bash
# Programs that a script starts, and the promise that none of them outlives it.
#
# Each one runs in a session of its own, so that Ctrl-C on the terminal reaches the script alone, and the script stops
# them in order: the gateway finishes its requests while its database is still there.

started_pids=()
started_names=()
at_stop=()

# start_process NAME COMMAND…: starts it, sets $started_pid. The kernel ends it should the script be killed outright.
start_process() {
    local name=$1
    shift
    setsid setpriv --pdeathsig TERM "$@" 9>&- &
    started_pid=$!
    started_pids+=("$started_pid")
    started_names+=("$name")
}

# run_process NAME COMMAND…: starts it and waits, so that a signal to the script interrupts even a long build.
run_process() {
    local status=0
    start_process "$@"
    wait "$started_pid" || status=$?
    forget_process "$started_pid"
    return "$status"
}

forget_process() {
    local index
    for index in "${!started_pids[@]}"; do
        if [[ ${started_pids[index]} == "$1" ]]; then
            unset "started_pids[index]" "started_names[index]"
        fi
    done
}

# stop_process PID NAME: asks it and its children to end, and insists after $STOP_GRACE_SECONDS (default 15).
stop_process() {
    local pid=$1 name=$2 tries=$((${STOP_GRACE_SECONDS:-15} * 50))
    kill -TERM -- "-$pid" 2>/dev/null || kill -TERM "$pid" 2>/dev/null || true
    while kill -0 "$pid" 2>/dev/null; do
        if ((tries-- == 0)); then
            say "$name did not stop when asked and is now killed."
            kill -KILL -- "-$pid" 2>/dev/null || true
            break
        fi
        sleep 0.02
    done
    wait "$pid" 2>/dev/null || true
}

# Runs the given function or command when the script ends; the latest given runs first.
when_stopping() {
    local action
    printf -v action '%q ' "$@"
    at_stop=("$action" "${at_stop[@]}")
}

stop_everything() {
    local status=$? index action
    set +e
    trap '' INT TERM HUP PIPE
    trap - EXIT
    local indices=("${!started_pids[@]}")
    for ((index = ${#indices[@]} - 1; index >= 0; index--)); do
        stop_process "${started_pids[indices[index]]}" "${started_names[indices[index]]}"
    done
    for action in "${at_stop[@]}"; do eval "$action" 2>/dev/null; done
    exit "$status"
}

# Call once, near the top of a script that starts something.
stop_everything_at_exit() {
    trap stop_everything EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    trap 'exit 129' HUP
}

# hold_lock FILE SENTENCE: fails with the sentence when another script holds it. Descriptor 9 is the lock; the kernel
# lets go of it when this script ends, however it ends.
hold_lock() {
    mkdir -p "$(dirname "$1")"
    exec 9>>"$1"
    flock --nonblock 9 || fail "$2"
}

# hold_lock_too FILE SENTENCE: the same beside the lock that is held already, on a descriptor of its own.
hold_lock_too() {
    local descriptor
    exec {descriptor}>>"$1"
    flock --nonblock "$descriptor" || fail "$2"
}

# wait_until SECONDS PID COMMAND…: true once the command succeeds; false when the time is up or the process has gone.
wait_until() {
    local tries=$(($1 * 40)) pid=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        if ((tries-- == 0)) || ! kill -0 "$pid" 2>/dev/null; then return 1; fi
        sleep 0.025
    done
}

# answers_ok URL: whether it answers 200. A proxy configured for the outside world is none of a local address's business.
answers_ok() { curl --silent --fail --output /dev/null --max-time 2 --noproxy '*' "$1"; }
