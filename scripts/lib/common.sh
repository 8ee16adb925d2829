# shellcheck shell=bash
# What every script of this project starts with: where the checkout is, how to speak, how to stop.
# Source it with `set -euo pipefail` in force; it sets $root and brings in the other files of this folder.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
program=${0##*/}
readonly root program

# Says what is going on. Progress goes to standard error, so that a script's standard output stays its result.
say() { printf '%s\n' "$*" >&2; }

# Says in one sentence what is wrong and how to mend it, and ends the script.
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

# A short name that differs from checkout to checkout, for the few things that cannot live inside one.
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
