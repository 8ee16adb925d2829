#!/usr/bin/env bash
# Tests the Swift library as an app gets it: test-client-package.sh [ARGUMENT…], with arguments for `swift test`.
#
# It makes a repository of this checkout's committed and changed files, with a version tag. The app of
# clients/swift/Tests/ClientApp takes the library from there by address and version.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

main() {
    local work
    stop_everything_at_exit
    require_swift
    work=$(mktemp --directory "${TMPDIR:-/tmp}/client-package.XXXXXX")
    when_stopping rm -rf "$work"
    publish "$work/login-gateway"
    cp -R "$root/clients/swift/Tests/ClientApp" "$work/app"
    # The shared cache would keep the repository.
    run_process "the app's tests" env CLIENT_REPOSITORY="file://$work/login-gateway" \
        CLIENT_APP_CHECKOUTS="$work/app/.build/checkouts" swift test --package-path "$work/app" \
        --cache-path "$work/cache" --disable-xctest "${development_flags[@]}" "$@" </dev/null >&2
}

# publish FOLDER: a repository with one commit and the tag 1.0.0.
publish() {
    local state
    # Empty without changes.
    state=$(git -C "$root" -c user.name=test -c user.email=test@localhost stash create)
    git init --quiet "$1"
    git -C "$root" archive "${state:-HEAD}" | tar --extract --directory "$1"
    git -C "$1" add --all --force
    git -C "$1" -c user.name=test -c user.email=test@localhost commit --quiet --message "The state of the checkout"
    git -C "$1" -c user.name=test -c user.email=test@localhost tag 1.0.0
}

main "$@"
