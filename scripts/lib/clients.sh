# shellcheck shell=bash
# The packages of the client libraries.
#
# Needs common.sh.

# pack_typescript FOLDER: builds the TypeScript library, packs it as a registry takes it, and prints the file's path.
pack_typescript() {
    local library="$root/clients/typescript" name
    rm -rf "$library/dist"
    tsc --project "$library" >&2 && node "$library/scripts/bundle.mjs" || return
    # Built already: npm hides the compiler's messages.
    name=$(cd "$library" && npm_config_update_notifier=false npm pack --silent --ignore-scripts --pack-destination "$1") ||
        return
    printf '%s/%s\n' "$1" "$name"
}
