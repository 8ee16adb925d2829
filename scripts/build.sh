#!/usr/bin/env bash
# Builds: `make build` (debug, with tests) and `make release`.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$root"
stop_everything_at_exit
install_missing_packages
case ${1:-} in
    debug)
        require_swift
        [[ -d .build/debug ]] || require_disk 3 "The first build"
        run_process "the build" swift build --build-tests "${development_flags[@]}" </dev/null || fail "The build failed: the compiler's messages are above."
        require_package_versions
        ;;
    release)
        # What servers run. The provider simulator is for development: run.sh and the benchmark build it.
        build_release gateway
        say "The program is .build/release/gateway, with the folders .build/release/*.resources."
        ;;
    *) fail "Say what to build: debug or release." ;;
esac
