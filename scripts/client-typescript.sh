#!/usr/bin/env bash
# Builds the TypeScript library and packs it into var/login-gateway-client.tgz: `make client-typescript`.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

folder="$root/clients/typescript"
package="$root/var/login-gateway-client.tgz"

# A package for npm is an archive whose files are in the folder `package`.
main() {
    (($# == 0)) || fail "This takes no argument."
    install_listed missing_client_packages
    rm -rf "$folder/dist"
    tsc --project "$folder"
    node "$folder/scripts/bundle.mjs"
    mkdir -p "${package%/*}"
    tar --create --gzip --file "$package" --directory "$folder" --sort=name --owner=0 --group=0 \
        --transform 's,^,package/,' package.json README.md dist
    say "Install $package with npm, or copy $folder/dist/login-gateway.js."
}

main "$@"
