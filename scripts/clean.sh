#!/usr/bin/env bash
# Removes the build (`make clean`) or the data of runs (`make clean-data`). .env stays in both cases.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$root"
case ${1:-} in
    build) rm -rf .build .build-* clients/typescript/dist clients/swift/.build* samples/api/.build* ;;
    data)
        # Takes the same locks as a run, so that a cluster in use stays.
        hold_lock "$root/var/run.lock" "The gateway is being run from $root: stop it first."
        hold_lock_too "$root/var/test.lock" "The tests are being run from $root: wait for that run to end."
        hold_lock_too "$root/var/bench.lock" "The benchmark is being run from $root: wait for it to end."
        for name in postgres test bench peers; do
            if [[ -n $(postgres_binaries) ]]; then cluster_discard "$name"; fi
        done
        # The tests' cluster may be in memory.
        cluster_in_memory 0
        if [[ -n $(postgres_binaries) ]]; then cluster_discard test; fi
        rm -rf var
        ;;
    *) fail "Say what to remove: build or data." ;;
esac
