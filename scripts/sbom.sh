#!/usr/bin/env bash
# Writes the software bill of materials (`make sbom`): CycloneDX JSON into var/sbom.cdx.json, or into the named file.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$root"
file=${1:-var/sbom.cdx.json}
gateway=${2:-}
if [[ -z $gateway ]]; then
    for gateway in .build/release/gateway .build/debug/gateway; do [[ ! -x $gateway ]] || break; done
fi
[[ -x $gateway ]] || fail "The gateway is not built, and its libraries are read from the program. 'make release' builds it."
require_package_versions
for tool in python3 dpkg-query ldd; do
    command -v "$tool" >/dev/null || fail "$tool is missing: Debian and Ubuntu have it."
done
mkdir -p "$(dirname "$file")"
python3 scripts/sbom.py "$root" "$gateway" >"$file.part"
mv "$file.part" "$file"
say "The parts are listed in $file."
