#!/usr/bin/env bash
# Renews the pictures of the documentation (`make images`): copies them from var/shots into docs/images, and removes the
# pictures that no page shows. `make test` takes a picture of every page and writes it to var/shots.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$root"
mapfile -t shown < <(grep --recursive --include '*.md' --no-filename --only-matching --extended-regexp 'images/[a-z0-9-]+\.png' \
    README.md docs | sed 's,^images/,,' | sort --unique)
((${#shown[@]} > 0)) || fail "No page shows a picture."
missing=()
for name in "${shown[@]}"; do [[ -f var/shots/$name ]] || missing+=("$name"); done
((${#missing[@]} == 0)) ||
    fail "var/shots lacks ${missing[*]}. This command takes the pictures: 'make test FILTER=BrowserTests'."
mkdir -p docs/images
find docs/images -name '*.png' -delete
for name in "${shown[@]}"; do cp "var/shots/$name" docs/images/; done
say "docs/images has the ${#shown[@]} pictures that pages show."
