# shellcheck shell=bash
# Checks of the machine before a start: room on the disk, free ports.

# require_disk GIGABYTES PURPOSE: fails when the checkout's disk has less than that free.
require_disk() {
    local needed=${NEEDED_DISK_GB:-$1} purpose=$2 free
    [[ $needed =~ ^[0-9]+$ ]] || fail "NEEDED_DISK_GB must be a whole number of gigabytes, not '$needed'."
    free=$(df --output=avail --block-size=1M "$root" | tail -n 1)
    if ((free < needed * 1024)); then
        fail "$purpose needs about $needed GB and $root has $((free / 1024)).$((free % 1024 * 10 / 1024)) GB free:" \
            "make room there, or set NEEDED_DISK_GB if you know better."
    fi
}

# The program that listens on a port, in words; empty when there is none.
port_holder() {
    local port=$1 line name pid
    if command -v ss >/dev/null; then
        line=$(ss --no-header --listening --tcp --numeric --processes "sport = :$port" | head -n 1)
        [[ -n $line ]] || return 0
        if [[ $line =~ \(\(\"([^\"]+)\",pid=([0-9]+) ]]; then
            name=${BASH_REMATCH[1]} pid=${BASH_REMATCH[2]}
            printf '%s (process %s)' "$name" "$pid"
        else
            printf "another user's program"
        fi
    elif (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
        printf 'some program'
    fi
}

# require_port PORT USE SETTING: fails when the port is taken. USE continues a sentence after "which".
require_port() {
    local holder
    holder=$(port_holder "$1")
    [[ -z $holder ]] || fail "Port $1, which $2, is held by $holder: stop that program, or choose another port with $3."
}
