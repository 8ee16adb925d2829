# shellcheck shell=bash
# Programs that a script starts; each ends with the script.
#
# Each one runs in its own session: Ctrl-C on the terminal reaches the script alone. The script stops them in order, so
# that the gateway ends its requests before its database stops.

started_pids=()
started_names=()
at_stop=()

# start_process NAME COMMAND…: starts it, sets $started_pid. The kernel ends it if the script is killed.
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

# stop_process PID NAME: asks it and its children to end, and kills them after $STOP_GRACE_SECONDS (default 15).
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

# hold_lock FILE SENTENCE: fails with the sentence when another script holds the lock. Descriptor 9 is the lock; the
# kernel frees it when this script ends, even by a kill.
hold_lock() {
    mkdir -p "$(dirname "$1")"
    exec 9>>"$1"
    flock --nonblock 9 || fail "$2"
}

# hold_lock_too FILE SENTENCE: takes a second lock, on its own descriptor.
hold_lock_too() {
    local descriptor
    exec {descriptor}>>"$1"
    flock --nonblock "$descriptor" || fail "$2"
}

# wait_until SECONDS PID COMMAND…: true once the command succeeds; false after the time, or when the process has ended.
wait_until() {
    local tries=$(($1 * 40)) pid=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        if ((tries-- == 0)) || ! kill -0 "$pid" 2>/dev/null; then return 1; fi
        sleep 0.025
    done
}

# answers_ok URL: whether it answers 200. Ignores proxy settings: the address is local.
answers_ok() { curl --silent --fail --output /dev/null --max-time 2 --noproxy '*' "$1"; }
