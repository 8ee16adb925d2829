# shellcheck shell=bash
# The packages of the client libraries.
#
# Needs common.sh.

# pack_typescript FOLDER: builds the TypeScript library, packs it as a registry takes it, and prints the file's path.
pack_typescript() {
    local name
    rm -rf "$root/clients/typescript/dist"
    name=$(cd "$root/clients/typescript" &&
        npm_config_update_notifier=false npm pack --silent --pack-destination "$1") || return
    printf '%s/%s\n' "$1" "${name##*$'\n'}"
}
