#!/usr/bin/env bash
# Builds the API reference into var/reference: `make reference`. The gateway serves it at /docs in development.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

main() {
    (($# == 0)) || fail "This takes no argument."
    install_listed missing_node
    node "$root/scripts/reference/build.mjs"
}

main "$@"
