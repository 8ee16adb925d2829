#!/usr/bin/env bash
# Puts the Swift sources into the style that `make lint` checks.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$root"
require_swift
swift format --in-place --parallel --recursive Package.swift Sources Tests fuzz/Fuzz bench/bare/Package.swift bench/bare/Sources clients/swift/{Package.swift,Sources,Tests} \
    samples/api/{Package.swift,Sources} samples/ios/{App,SampleLogic/{Package.swift,Sources,Tests}}
