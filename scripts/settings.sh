#!/usr/bin/env bash
# Writes .env.example and docs/configuration.md from the declarations of the settings in the code.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
cd "$root"
require_swift
swift build "${development_flags[@]}" --product gateway
gateway="$(swift build "${development_flags[@]}" --show-bin-path)/gateway"
"$gateway" check-configuration --print-example >"$root/.env.example.new"
"$gateway" check-configuration --print-reference >"$root/docs/configuration.md.new"
mv "$root/.env.example.new" "$root/.env.example"
mv "$root/docs/configuration.md.new" "$root/docs/configuration.md"
