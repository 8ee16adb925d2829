# shellcheck shell=bash
# Ends a run of tests that stands still, with a report of its state. A time limit of the machine would report nothing.
#
# Needs common.sh.

# run_watched NAME FILE COMMAND…: runs it, and ends it when its output FILE hasn't grown for $STANDSTILL_SECONDS (default
# 600: longer than any test takes on a slow machine).
run_watched() {
    local name=$1 file=$2 status=0 watcher
    shift 2
    start_process "$name" "$@"
    local pid=$started_pid
    end_at_standstill "$pid" "$name" "$file" 9>&- &
    watcher=$!
    wait "$pid" || status=$?
    forget_process "$pid"
    kill "$watcher" 2>/dev/null || true
    wait "$watcher" 2>/dev/null || true
    return "$status"
}

end_at_standstill() {
    local pid=$1 name=$2 file=$3 limit=${STANDSTILL_SECONDS:-600} size=-1 now since=$SECONDS
    while kill -0 "$pid" 2>/dev/null; do
        now=$(stat --format %s "$file" 2>/dev/null || echo 0)
        if [[ $now != "$size" ]]; then
            size=$now since=$SECONDS
        elif ((SECONDS - since >= limit)); then
            say "$name has written nothing for $limit s: it is ended. Its state:"
            describe_processes "$pid" >&2
            describe_statements >&2
            pkill -KILL --session "$pid"
            return
        fi
        sleep 1
    done
}

# describe_processes SESSION: the wait of each thread of its processes; their stacks where gdb is installed.
describe_processes() {
    local pid thread
    for pid in $(ps -o pid= --sid "$1"); do
        printf '%s %s\n' "$pid" "$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)"
        for thread in "/proc/$pid/task"/*; do
            printf '  %s %s: state %s, in %s\n' "${thread##*/}" "$(cat "$thread/comm" 2>/dev/null)" \
                "$(awk '/^State:/ { print $2 }' "$thread/status" 2>/dev/null)" "$(cat "$thread/wchan" 2>/dev/null)"
        done
        if [[ $(readlink "/proc/$pid/exe") == *.xctest ]] && command -v gdb >/dev/null; then
            timeout 120 gdb --pid "$pid" --batch --ex 'thread apply all backtrace 40' 2>/dev/null || true
        fi
    done
}

# The activity of the test cluster's connections.
describe_statements() {
    psql --no-psqlrc --dbname "$TEST_DATABASE_URL" --command "
        select pid, datname, state, wait_event_type, wait_event, now() - query_start as since, left(query, 120) as query
          from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()" || true
}
