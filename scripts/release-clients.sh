#!/usr/bin/env bash
# Releases the client libraries: release-clients.sh VERSION, or `make release-clients VERSION=1.2.0`.
#
# It needs a clean tree. It writes the version into clients/typescript/package.json, the only place of it, packs the
# TypeScript library into var, and tests both packages. Then it commits, and makes the tag VERSION, by which apps take the
# Swift library. It neither pushes nor publishes: it prints the commands for that.
#
#   --help    print this
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/clients.sh
source "$root/scripts/lib/clients.sh"

manifest=clients/typescript/package.json

main() {
    if [[ ${1:-} == --help ]]; then
        sed -n '2,/^set /{s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
        return
    fi
    (($# == 1)) || fail "Say which version, such as 1.2.0; --help explains."
    cd "$root"
    require_new_version "$1"
    [[ -z $(git status --porcelain) ]] || fail "The tree has changes: commit or remove them first. 'git status' lists them."
    install_listed missing_client_packages
    stop_everything_at_exit
    set_version "$1"
    test_packages
    if ! git diff --quiet; then git commit --quiet --message "Release the client libraries $1" -- "$manifest"; fi
    git tag --annotate --message "The client libraries $1" "$1"
    say "The tag $1 and the package are made. To publish them:"
    printf 'git push origin HEAD %s\nnpm publish %s\n' "$1" "$packed"
}

# require_new_version VERSION: SwiftPM reads tags of this form as versions, so no other tag may have it.
require_new_version() {
    local newest
    [[ $1 =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$ ]] ||
        fail "'$1' is no version: three numbers, such as 1.2.0."
    newest=$(git tag --list '[0-9]*.[0-9]*.[0-9]*' | sort --version-sort | tail -n 1)
    [[ -z $newest || $(printf '%s\n%s\n' "$newest" "$1" | sort --version-sort | tail -n 1) != "$newest" ]] ||
        fail "Version $newest exists already: $1 is not newer."
}

# set_version VERSION: a release that fails takes it back.
set_version() {
    when_stopping restore_version
    sed -i "s/^\(    \"version\": \)\"[^\"]*\"/\1\"$1\"/" "$manifest"
}

restore_version() { git -C "$root" diff --quiet -- "$manifest" || git -C "$root" checkout --quiet -- "$manifest"; }

# Both packages as an app gets them; sets $packed.
test_packages() {
    mkdir -p var
    packed=$(pack_typescript "$root/var") || fail "The TypeScript library could not be packed: the messages are above."
    say "Testing both packages."
    node --test clients/typescript/test/package.test.mjs >&2 || fail "The TypeScript package is not in order: see above."
    scripts/test-client-package.sh || fail "The Swift package is not in order: see above."
}

main "$@"
