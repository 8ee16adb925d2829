#!/usr/bin/env bash
# Runs the tests, and shows which regions of the security decisions none of them reached: `make coverage`. FILTER=name runs
# some tests; --json prints the same as JSON. scripts/coverage.py has the rule for the files.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[[ ${1:-} != --help ]] || { sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit; }
[[ ${1:-} == '' || ${1:-} == --json ]] || fail "'$1' is unknown: see --help."
cd "$root"
require_swift
tools=$(dirname "$(realpath "$(command -v swift)")")
[[ -x $tools/llvm-cov && -x $tools/llvm-profdata ]] || fail "The toolchain in $tools has no llvm-cov: install the whole of it."
profiles="$root/var/coverage"
rm -rf "$profiles"
mkdir -p "$profiles"
filter=()
[[ -z ${FILTER:-} ]] || filter=(--filter "$FILTER")
# A failed test covers regions too, and its message is above.
COVERAGE=1 scripts/test.sh "${filter[@]}" >&2 || say "Not every test passed: see above."
compgen -G "$profiles/*.profraw" >/dev/null || fail "No test ran, so nothing is covered."
"$tools/llvm-profdata" merge -sparse "$profiles"/*.profraw --output "$profiles/all.profdata"
python3 scripts/coverage.py .build-coverage/debug/login-gatewayPackageTests.xctest "$profiles/all.profdata" "$@"
