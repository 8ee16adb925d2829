#!/usr/bin/env bash
# Measures what each suite costs: `make test-costs`, with FILTER=name for some.
#
# Each suite runs alone. Its processor time is that of the whole machine meanwhile, so that programs and databases count:
# nothing else should be running. The duration that a whole run reports for a suite contains its waiting for the others.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

main() {
    cd "$root"
    stop_everything_at_exit
    require_swift
    hold_lock "$root/var/test.lock" "The tests are already being run from $root: wait for that run to end."
    [[ -x .build/debug/login-gatewayPackageTests.xctest ]] || fail "The tests are not built: run make test first."
    open_test_cluster
    export AXE_SCRIPT=${AXE_SCRIPT:-$axe_script} MOTO_PATH=${MOTO_PATH:-$moto_path} PYJWT_PATH=${PYJWT_PATH:-$pyjwt_path}
    local suites suite number=0 costs=var/test-costs.csv
    suites=$(swift test list --skip-build "${development_flags[@]}" 2>/dev/null | sed -n 's|^\([A-Za-z]*Tests\.[^/]*\)/.*|\1|p' | sort -u |
        grep --extended-regexp "${1:-.}")
    printf 'processor_seconds,wall_seconds,status,suite\n' >"$costs"
    while IFS= read -r suite; do
        number=$((number + 1))
        [[ ! -t 2 ]] || printf '\r\e[K%d of %d: %s' "$number" "$(wc -l <<<"$suites")" "$suite" >&2
        measure "$suite" >>"$costs"
    done <<<"$suites"
    [[ ! -t 2 ]] || printf '\r\e[K' >&2
    say "The dearest suites; all of them are in $costs:"
    tail -n +2 "$costs" | sort --general-numeric-sort --reverse | head -n 10
}

# measure SUITE: its line.
measure() {
    local before begun status=0
    before=$(busy_hundredths) begun=$(microseconds)
    .build/debug/login-gatewayPackageTests.xctest --testing-library swift-testing --filter "^${1//./\\.}/" </dev/null >var/test-costs.log 2>&1 ||
        status=$?
    awk -v busy=$(($(busy_hundredths) - before)) -v wall=$(($(microseconds) - begun)) -v status="$status" -v suite="$1" \
        'BEGIN { printf "%.1f,%.1f,%d,%s\n", busy / 100, wall / 1000000, status, suite }'
}

# Hundredths of seconds in which a processor was not idle.
busy_hundredths() { awk '/^cpu / { print $2 + $3 + $4 + $7 + $8 }' /proc/stat; }

main "$@"
