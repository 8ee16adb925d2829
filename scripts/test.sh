#!/usr/bin/env bash
# Runs the tests against a real PostgreSQL of their own: `make test`. Arguments go to `swift test` (--filter NAME).
#
# Suites whose names end with LongTests, and the packages of clients and samples, are the second group: `make test-long`,
# with --long as the first argument. They take long, or build a package of their own.
#
# Its last line is `N passed, N failed`. It exits non-zero after a failed build, a crash, a standstill or a run without
# tests.
# SANITIZER=thread or SANITIZER=address runs the suite under that sanitizer, built in a folder of its own; so does COVERAGE=1,
# which counts the regions that run: scripts/coverage.sh.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/standstill.sh
source "$root/scripts/lib/standstill.sh"
# shellcheck source=scripts/lib/client-tests.sh
source "$root/scripts/lib/client-tests.sh"

main() {
    cd "$root"
    local group=short
    if [[ ${1:-} == --long ]]; then
        group=long
        shift
    fi
    stop_everything_at_exit
    choose_build
    require_swift
    [[ -d $scratch/debug ]] || require_disk 3 "The first build of the tests"
    hold_lock "$root/var/test.lock" "The tests are already being run from $root: wait for that run to end."
    rm -rf "$reports"
    mkdir -p "$reports"
    install_missing_packages
    install_missing_test_packages
    fetch_axe
    fetch_moto
    fetch_cognito_model
    fetch_pyjwt
    fetch_authlib
    fetch_mcp
    fetch_allauth
    fetch_idpyoidc
    refuse_other_frameworks

    say "Building the tests."
    local begun
    begun=$(microseconds)
    run_process "the build" swift build --build-tests "${build_flags[@]}" </dev/null >&2 || {
        say "The build failed, so no test was run."
        printf '0 passed, 0 failed\n'
        exit 1
    }
    require_package_versions
    mkdir -p "$root/var"
    printf 'build %s\n' "$(elapsed "$begun")" >"$root/var/test-seconds"
    say "Built in $(elapsed "$begun")."
    open_test_cluster
    run_tests "$@"
}

choose_build() {
    # A gateway that a test starts ends without an exit code of the sanitizer: its reports are in files.
    reports="$root/var/sanitizer"
    scratch="$root/.build"
    build_flags=()
    case ${SANITIZER:-}${COVERAGE:+coverage} in
        '') build_flags=("${development_flags[@]}") ;;
        thread)
            scratch="$root/.build-tsan" build_flags=(--sanitize thread --scratch-path "$root/.build-tsan")
            export TSAN_OPTIONS="log_path=$reports/thread"
            ;;
        address)
            scratch="$root/.build-asan" build_flags=(--sanitize address --scratch-path "$root/.build-asan")
            # Permanent allocations of the test runner are no leak of ours.
            export ASAN_OPTIONS="detect_leaks=0:log_path=$reports/address"
            ;;
        coverage)
            scratch="$root/.build-coverage" build_flags=(-debug-info-format none --scratch-path "$root/.build-coverage"
                -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping
                -Xswiftc -Xllvm -Xswiftc -runtime-counter-relocation)
            # One file for each program, to which its runs add. SwiftPM's own option would keep the last group of tests alone.
            # %c writes while the program runs: a gateway ends by _exit or a signal, and would otherwise write nothing.
            export LLVM_PROFILE_FILE="$root/var/coverage/%c%4m.profraw"
            ;;
        *) fail "SANITIZER is thread or address, not '$SANITIZER', and goes without COVERAGE." ;;
    esac
}

# Only Swift Testing runs below: it would skip a test of another framework silently.
refuse_other_frameworks() {
    local stray
    stray=$(grep --recursive --files-with-matches --extended-regexp '^(internal |private )?import XCTest' "$root/Tests" | head -n 1 || true)
    [[ -z $stray ]] || fail "$stray uses XCTest, which is not run here: write it with Swift Testing."
}

# Without it the sanitizer reports a Mutex that two threads wanted at once, and continuations that are resumed early: see
# the files.
teach_the_sanitizer() {
    [[ ${SANITIZER:-} == thread && $(uname -m) == x86_64 ]] || return 0
    local source="$root/scripts/lib/thread-sanitizer"
    clang -fPIC -shared -o "$scratch/order.so" "$source/find.c" "$source/mutex.S" "$source/continuation.S"
    export LD_PRELOAD="$scratch/order.so"
}

# The modules' tests run before the gateway's: all two thousand at once would slow each other down, so that time limits of
# some seconds would fail. A filter that names GatewayClientTests, SampleLogicTests or ClientAppTests runs those alone.
run_tests() {
    local events=() status=0 counted=0 begun
    begun=$(microseconds)
    export AXE_SCRIPT=${AXE_SCRIPT:-$axe_script} MOTO_PATH=${MOTO_PATH:-$moto_path} PYJWT_PATH=${PYJWT_PATH:-$pyjwt_path}
    # How long each suite held its gateway: see Tests/GatewayTests/Support/Gate.swift.
    export TEST_PLACES="$root/var/test-places"
    : >"$TEST_PLACES"
    teach_the_sanitizer
    if [[ $group == long ]]; then
        run_long_tests
    elif (($# == 0)); then
        run_some --skip '^GatewayTests\.' --skip 'LongTests/'
        run_some --filter '^GatewayTests\.' --skip 'LongTests/'
    elif [[ $* == *GatewayClientTests* ]]; then
        run_client_tests "$@"
    elif [[ $* == *SampleLogicTests* ]]; then
        run_sample_tests "$@"
    elif [[ $* == *ClientAppTests* ]]; then
        run_app_tests "$@"
    elif [[ $* == *LongTests* ]]; then
        build_sample_api
        run_some "$@"
    else
        run_some "$@" --skip 'LongTests/'
    fi
    printf 'tests %s\n' "$(elapsed "$begun")" >>"$root/var/test-seconds"
    awk -v status="$status" -v runs="${#events[@]}" -f "$root/scripts/lib/count-tests.awk" "${events[@]}" || counted=$?
    if compgen -G "$reports/*" >/dev/null; then
        cat "$reports"/* >&2
        fail "A sanitizer reported a fault: see above, or $reports."
    fi
    if ((status != 0)); then exit "$status"; fi
    exit "$counted"
}

run_long_tests() {
    build_sample_api
    run_some --filter 'LongTests/'
    run_client_tests
    run_sample_tests
    run_app_tests
}

# Adds to the `events` and the `status` of its caller.
run_some() {
    local file output filter tries=100
    file=$(mktemp "${TMPDIR:-/tmp}/test-events.XXXXXX")
    when_stopping rm -f "$file"
    events+=("$file")
    exec {output}> >(without_passed_tests)
    filter=$!
    run_watched "the tests" "$file" swift test --skip-build --disable-xctest "${build_flags[@]}" \
        --event-stream-output-path "$file" "$@" </dev/null >&"$output" 2>&1 || status=$?
    exec {output}>&-
    # The last lines; a program that a test left behind may keep the pipe open.
    while ((tries-- > 0)) && kill -0 "$filter" 2>/dev/null; do sleep 0.05; done
}

# Drops the lines about tests that begin or pass: 3 MB that nobody reads. Suites that pass show how far the run is.
without_passed_tests() { grep --line-buffered --invert-match --extended-regexp '^(◇|✔ Test)' || true; }

main "$@"
