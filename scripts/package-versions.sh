#!/usr/bin/env bash
# Compares the resolved versions of the Swift packages with the reviewed ones: package-versions.sh [ROOT].
#
# Package.swift fixes the packages that it names, Package.versions those that they bring. Package.resolved is not in the
# repository, because its commit ids differ between copies of a package. With --list it prints the reviewed versions, a
# package and its version on each line.
set -euo pipefail

list=false
if [[ ${1:-} == --list ]]; then list=true && shift; fi
root=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)}

reviewed() {
    grep --only-matching --extended-regexp 'url: "[^"]+", exact: "[^"]+"' "$root/Package.swift" |
        sed --regexp-extended 's/url: "([^"]+)", exact: "([^"]+)"/\1 \2/'
    grep --invert-match --extended-regexp '^(#|$)' "$root/Package.versions"
}

# A branch or a commit has no version: its line then names none, and is refused.
resolved() {
    awk -F '"' '
        $2 == "location" { if (place) print place, "none"; place = $4 }
        $2 == "version" && place { print place, $4; place = "" }
        END { if (place) print place, "none" }' "$root/Package.resolved"
}

if $list; then
    reviewed | sort
    exit
fi
[[ -f $root/Package.resolved ]] || {
    printf 'Package.resolved is missing. The build writes it, with the resolved versions.\n' >&2
    exit 1
}
difference=$(diff <(reviewed | sort) <(resolved | sort) | grep '^[<>]' || true)
[[ -n $difference ]] || exit 0
{
    printf 'The Swift packages are not the reviewed ones (< Package.swift and Package.versions, > resolved):\n'
    printf '%s\n' "$difference"
    printf 'Read what changed in these packages. Then write the resolved versions into Package.versions, or remove'
    printf ' Package.resolved and resolve again.\n'
} >&2
exit 1
