#!/usr/bin/env bash
# Builds the Debian package (`make deb`): deb.sh [--program FOLDER] [--output FOLDER].
#
# FOLDER has a built `gateway` with its resources; without it a release is built. The package goes into var. Equal inputs
# make equal packages: SOURCE_DATE_EPOCH is the time of every file, by default that of the last commit.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/deb.sh
source "$root/scripts/lib/deb.sh"

main() {
    local folder='' output="$root/var" work
    while (($# > 0)); do
        case $1 in
            --program) folder=${2:?--program needs a folder} ;;
            --output) output=${2:?--output needs a folder} ;;
            *) fail "This takes --program FOLDER and --output FOLDER, not '$1'." ;;
        esac
        shift 2
    done
    stop_everything_at_exit
    umask 022
    install_listed missing_deb_packages
    if [[ -z $folder ]]; then
        install_missing_packages
        build_release gateway
        folder="$root/.build/release"
    fi
    [[ -x $folder/gateway ]] || fail "There is no program $folder/gateway: build it, or name another folder with --program."
    work=$(mktemp --directory "${TMPDIR:-/tmp}/deb.XXXXXX")
    when_stopping rm -rf "$work"
    make_package "$(cd "$folder" && pwd -P)" "$work" "$output"
}

# make_package FOLDER WORK OUTPUT: says the file's name on standard output.
make_package() {
    local gateway=$1/gateway stage=$2/stage version file
    export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(time_of_source)}
    # Debian 12 and Ubuntu 24.04 can both read it. More threads would make other bytes.
    export DPKG_DEB_COMPRESSOR_TYPE=${DPKG_DEB_COMPRESSOR_TYPE:-xz} DPKG_DEB_THREADS_MAX=1
    version=$("$gateway" --version)
    stage_program "$1" "$stage"
    stage_settings "$gateway" "$stage"
    stage_manual "$gateway" "$stage" "$version"
    stage_completions "$gateway" "$stage"
    stage_documents "$stage"
    stage_control "$stage" "$version" "$2"
    even_out "$stage"
    mkdir -p "$3"
    file="$3/login-gateway_${version}_$(dpkg --print-architecture).deb"
    dpkg-deb --root-owner-group --build "$stage" "$file" >/dev/null
    say "Built $file ($(($(stat --format %s "$file") / 1024)) KiB)."
    printf '%s\n' "$file"
}

# Of the last commit; without a repository that of the changelog.
time_of_source() {
    git -C "$root" log --max-count 1 --format=%ct 2>/dev/null || stat --format %Y "$root/CHANGELOG.md"
}

main "$@"
