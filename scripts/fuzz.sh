#!/usr/bin/env bash
# Fuzzes the parsers of strangers' bytes with libFuzzer: `make fuzz`, with TARGET=json for one. fuzz/README.md describes the
# targets and what they found.
#
# FUZZ_SECONDS (600) is the time of each target, FUZZ_JOBS (one for each processor) how many run at once. What a target learns is
# in var/fuzz/TARGET, beside the seeds in fuzz/corpus. An input that breaks a property is in var/fuzz/findings.
#
# It prints one line for each target, and exits non-zero after a finding. `scripts/fuzz.sh --input FILE` with TARGET reads one
# input.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

learned="$root/var/fuzz"
findings="$learned/findings"
# Swift's own report of a crash would end the program before libFuzzer keeps the input.
export SWIFT_BACKTRACE=enable=no

main() {
    case ${1:-} in
        --help)
            sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
            return
            ;;
        --one)
            fuzz "$2"
            return
            ;;
        --input) [[ -f ${2:-} && -n ${TARGET:-} ]] || fail "Name a file, and the target with TARGET=json." ;;
        '') [[ ${FUZZ_SECONDS:=600} =~ ^[1-9][0-9]*$ ]] || fail "FUZZ_SECONDS is a whole number, not '$FUZZ_SECONDS'." ;;
        *) fail "'$1' is unknown: see --help." ;;
    esac
    cd "$root"
    stop_everything_at_exit
    hold_lock "$root/var/fuzz.lock" "The targets are already being fuzzed from $root: wait for that run to end."
    install_missing_packages
    build_targets
    local fuzzer="$root/.build-fuzz/release/Fuzz" names
    names=$("$fuzzer")
    [[ -z ${TARGET:-} ]] || grep --quiet --line-regexp --fixed-strings -- "$TARGET" <<<"$names" ||
        fail "TARGET is one of: ${names//$'\n'/, }."
    if [[ ${1:-} == --input ]]; then
        FUZZ_TARGET=$TARGET exec "$fuzzer" "$2"
    fi
    export FUZZ_SECONDS
    mkdir -p "$findings"
    printf '%s\n' "${TARGET:-$names}" >"$learned/targets"
    printf '%-16s %12s %8s %8s  %s\n' target executions edges inputs finding
    run_process "the fuzzing" xargs --arg-file "$learned/targets" --max-procs "${FUZZ_JOBS:-$(nproc)}" --max-args 1 \
        "$root/scripts/fuzz.sh" --one ||
        fail "A property does not hold: read the finding with TARGET=… scripts/fuzz.sh --input FILE. The log is beside it."
}

# -enable-testing lets the targets reach parsers that are internal to their modules.
build_targets() {
    require_swift
    [[ -d .build-fuzz/release ]] || require_disk 3 "The first build of the fuzz targets"
    say "Building the fuzz targets (some minutes the first time)."
    LOGIN_GATEWAY_FUZZ=1 run_process "the build" swift build --configuration release --product Fuzz --sanitize fuzzer \
        -Xswiftc -enable-testing -debug-info-format none --scratch-path .build-fuzz </dev/null >&2 ||
        fail "The build failed: the compiler's messages are above."
    require_package_versions
}

# fuzz TARGET: its line; fails after a finding.
fuzz() {
    local log="$findings/$1.log" options=() status=0 finding
    local words
    words="$root/fuzz/dictionaries/$(dictionary "$1").txt"
    [[ ! -f $words ]] || options+=("-dict=$words")
    mkdir -p "$learned/$1"
    FUZZ_TARGET=$1 "$root/.build-fuzz/release/Fuzz" -max_total_time="$FUZZ_SECONDS" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$findings/$1-" "${options[@]}" "$learned/$1" "$root/fuzz/corpus/$1" >"$log" 2>&1 || status=$?
    finding=$(sed -n 's/^.*Does not hold: \(.*\)$/\1/p; s|^.*Test unit written to .*/||p' "$log" | paste --serial --delimiters ' ')
    printf '%-16s %12s %8s %8s  %s\n' "$1" "$(number_of_executions "$log")" "$(last_number cov "$log")" \
        "$(last_number corp "$log")" "${finding:-$( ((status)) && echo "failed: see $log" || echo none)}"
    ((status == 0))
}

dictionary() {
    case $1 in
        client-document | json | jwks | jwt | key-proof | passkey) echo json ;;
        cookies | form | headers | redirect | sigv4) echo http ;;
    esac
}

number_of_executions() { sed -n 's/^stat::number_of_executed_units: *//p' "$1"; }

# last_number WORD LOG: the last number after "WORD: ".
last_number() { { grep --only-matching --extended-regexp "$1: [0-9]+" "$2" || true; } | tail -n 1 | cut -d ' ' -f 2; }

main "$@"
