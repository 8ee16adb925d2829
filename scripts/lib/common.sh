# shellcheck shell=bash
# The common start of every script: finds the checkout, writes messages, ends with an error.
# Source it with `set -euo pipefail` in force; it sets $root and sources the other files of this folder.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
program=${0##*/}
readonly root program

# Writes progress to standard error: a script's standard output is its result.
say() { printf '%s\n' "$*" >&2; }

# Writes one sentence with the error and its remedy, and ends the script.
fail() {
    printf '%s: %s\n' "$program" "$*" >&2
    exit 1
}

# Microseconds since 1970, for elapsed times.
microseconds() { printf '%s' "${EPOCHREALTIME//[.,]/}"; }

# Seconds with one decimal since the given microseconds.
elapsed() {
    local tenths=$((($(microseconds) - $1) / 100000))
    printf '%d.%d s' $((tenths / 10)) $((tenths % 10))
}

# 32 random bytes, base64url without padding.
fresh_secret() { head -c 32 /dev/urandom | base64 --wrap=0 | tr '+/' '-_' | tr -d '='; }

# A short name that differs between checkouts, for the few things outside a checkout.
checkout_name() {
    local sum
    sum=$(printf '%s' "$root" | cksum)
    printf 'login-gateway-%s' "${sum%% *}"
}

# Percent-encodes everything but RFC 3986's unreserved characters, byte by byte.
percent_encode() {
    local LC_ALL=C text=$1 encoded='' character index
    for ((index = 0; index < ${#text}; index++)); do
        character=${text:index:1}
        case $character in
            [A-Za-z0-9._~-]) encoded+=$character ;;
            *)
                printf -v character '%%%02X' "'$character"
                # Bytes above 127 come out sign-extended: the last two digits are the byte.
                encoded+=%${character: -2}
                ;;
        esac
    done
    printf '%s' "$encoded"
}

# shellcheck source=scripts/lib/processes.sh
source "$root/scripts/lib/processes.sh"
# shellcheck source=scripts/lib/machine.sh
source "$root/scripts/lib/machine.sh"
# shellcheck source=scripts/lib/packages.sh
source "$root/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/swift.sh
source "$root/scripts/lib/swift.sh"
# shellcheck source=scripts/lib/environment.sh
source "$root/scripts/lib/environment.sh"
# shellcheck source=scripts/lib/postgres.sh
source "$root/scripts/lib/postgres.sh"
