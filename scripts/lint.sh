#!/usr/bin/env bash
# Checks style: `make lint`. The scripts are checked as well where shellcheck is installed.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$root"
require_swift
swift_paths=()
for path in Package.swift Sources Tests bench/bare/Package.swift bench/bare/Sources clients/swift/{Package.swift,Sources,Tests}; do
    [[ ! -e $path ]] || swift_paths+=("$path")
done
swift format lint --strict --parallel --recursive "${swift_paths[@]}" ||
    fail "The style differs at the places named above: 'make format' corrects most of it."

# Words that docs/glossary.md replaces, in the texts that are clean of them.
plain_texts=(Sources/Postgres Sources/Admin Sources/Accounts Sources/JSON Sources/WebAuthn Sources/Gateway/CommandLine
    README.md CHANGELOG.md deploy clients/swift/Sources clients/swift/README.md)
mapfile -t -O "${#plain_texts[@]}" plain_texts < <(find docs -maxdepth 1 -name '*.md' \
    ! -name glossary.md ! -name threat-model.md ! -name configuration.md ! -name adding-a-provider.md)
odd_words='(whoever|whomever|somebody|lest|(is|are|was|were) told)'
if grep --recursive --line-number --ignore-case --word-regexp --extended-regexp "$odd_words" "${plain_texts[@]}"; then
    fail "Write plainly at the places named above: docs/glossary.md has the terms."
fi

mapfile -t scripts < <(find scripts bench deploy .ci -name '*.sh' -o -path '.ci/run' | sort)
for script in "${scripts[@]}"; do bash -n "$script"; done
if command -v shellcheck >/dev/null; then
    # A sourced file is checked with the script that sources it: it needs variables of that script.
    mapfile -t programs < <(printf '%s\n' "${scripts[@]}" | grep --invert-match --extended-regexp '^(scripts/lib/|deploy/patroni/configuration)')
    shellcheck --external-sources "${programs[@]}" || fail "shellcheck objects to the places named above."
fi
say "The style is in order."
