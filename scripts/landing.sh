#!/usr/bin/env bash
# Before a landing on the main branch (`make landing`): records its present revision, from which `make test-upgrade` takes the
# previous version, and the digests of the schema files, which nobody changes from then on.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$root"
published=Tests/PostgresTests/published-schema.txt
revision=$(git rev-parse --quiet --verify origin/main || git rev-parse --quiet --verify main) ||
    fail "This clone has no branch main: fetch it first."
printf '%s\n' "$revision" >.ci/previous-landing
before=$(cat "$published")
(cd Sources/Postgres/Schema && LC_ALL=C sha256sum -- *.sql) >"$published"
while read -r digest file; do
    [[ -n $file ]] || continue
    grep --quiet "^$digest  $file\$" "$published" ||
        say "$file was published with other text: no older database can be carried over."
done <<<"$before"
say "Commit $published and .ci/previous-landing (${revision:0:8})."
