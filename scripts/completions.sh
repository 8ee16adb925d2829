#!/usr/bin/env bash
# Writes shell completions for `gateway` into var/completions: `make completions`.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cd "$root"
stop_everything_at_exit
install_missing_packages
build_release gateway
folder=var/completions
mkdir -p "$folder"
declare -A files=([bash]=gateway.bash [zsh]=_gateway [fish]=gateway.fish)
for shell in bash zsh fish; do
    .build/release/gateway --generate-completion-script "$shell" >"$folder/${files[$shell]}"
done
say "Wrote ${files[bash]}, ${files[zsh]} and ${files[fish]} into $folder."
