#!/usr/bin/env bash
# Builds the TypeScript library and packs it into var/login-gateway-client.tgz: `make client-typescript`.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/clients.sh
source "$root/scripts/lib/clients.sh"

package="$root/var/login-gateway-client.tgz"

main() {
    (($# == 0)) || fail "This takes no argument."
    install_listed missing_client_packages
    local packed
    mkdir -p "${package%/*}"
    packed=$(pack_typescript "${package%/*}") || fail "The TypeScript library could not be packed: the messages are above."
    mv "$packed" "$package"
    say "Install $package with npm, or copy $root/clients/typescript/dist/login-gateway.js."
}

main "$@"
