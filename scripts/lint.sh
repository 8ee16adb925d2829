#!/usr/bin/env bash
# Checks style: `make lint`. The scripts are checked as well where shellcheck is installed.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$root"
require_swift
swift_paths=()
for path in Package.swift Sources Tests fuzz/Fuzz bench/bare/{Package.swift,Sources} clients/swift/{Package.swift,Sources,Tests} \
    samples/api/{Package.swift,Sources} samples/ios/{App,SampleLogic/{Package.swift,Sources,Tests}}; do
    [[ ! -e $path ]] || swift_paths+=("$path")
done
swift format lint --strict --parallel --recursive "${swift_paths[@]}" ||
    fail "The style differs at the places named above: 'make format' corrects most of it."

# Words that docs/glossary.md replaces, in the texts that are clean of them.
odd_words='\b(whoever|whomever|somebody|lest|(is|are|was|were) told)\b'
plain_texts=(Sources/A* Sources/C* Sources/Gateway Sources/HTTPServer Sources/JSON Sources/NativeAuth Sources/O*
    Sources/Pages Sources/Postgres Sources/REST Sources/Settings Sources/Telemetry Sources/Vocabulary Sources/Web Sources/WebAuthn
    README.md CHANGELOG.md fuzz/README.md deploy docs/compatibility docs/decisions docs/providers docs/standards docs/start clients/typescript/src clients/typescript/README.md
    Tests/Transcripts/README.md clients/swift/Sources clients/swift/README.md samples/{api,web}/README.md samples/api/Sources
    samples/ios/{README.md,App,SampleLogic/Sources})
mapfile -t -O "${#plain_texts[@]}" plain_texts < <(find docs -maxdepth 1 -name '*.md' ! -name glossary.md ! -name configuration.md)
# In every other Swift file they are refused in comments and in the display names of tests.
mapfile -t swift_files < <(find Sources Tests fuzz -name '*.swift')
if grep --recursive --line-number --ignore-case --extended-regexp "$odd_words" "${plain_texts[@]}" ||
    grep --line-number --ignore-case --extended-regexp \
        "(//|@Test\(|@Suite\().*$odd_words|^ *\"[^\"]*${odd_words}[^\"]*\",\$" "${swift_files[@]}"; then
    fail "Write plainly at the places named above: docs/glossary.md has the terms."
fi

# Besides those with an ending, the programs of the Debian package.
mapfile -t scripts < <(find scripts bench deploy .ci -name '*.sh' -o -path '.ci/run' -o -path 'deploy/debian/*' | sort)
for script in "${scripts[@]}"; do bash -n "$script"; done
if command -v shellcheck >/dev/null; then
    # A sourced file is checked with the script that sources it: it needs variables of that script.
    mapfile -t programs < <(printf '%s\n' "${scripts[@]}" | grep --invert-match --extended-regexp '^(scripts/lib/|deploy/patroni/configuration)')
    shellcheck --external-sources "${programs[@]}" || fail "shellcheck objects to the places named above."
fi
say "The style is in order."
