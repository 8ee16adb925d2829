# shellcheck shell=bash
# The file .env: written once with fresh secrets, then edited by the operator.

# The file of the key with which the provider simulator checks the gateway's Apple client secrets.
apple_development_key=var/apple-development-key.pem

# Writes .env from .env.example unless it is there. Each `generate-me` becomes a secret of its own.
write_environment() {
    local file="$root/.env" draft
    [[ ! -e $file ]] || return 0
    [[ -r $root/.env.example ]] || fail "$root/.env.example is missing: restore it with 'git checkout .env.example'."
    # In var/, which git ignores: a draft that remains after a kill holds secrets too.
    mkdir -p "$root/var"
    draft=$(umask 077 && mktemp "$root/var/env.XXXXXX")
    fill_in_environment >"$draft"
    # A link, unlike a move, never replaces a file that another process made meanwhile.
    ln "$draft" "$file" 2>/dev/null || true
    rm -f "$draft"
    say "Wrote .env with fresh secrets."
}

# .env.example with its placeholders filled in, to standard output.
fill_in_environment() {
    local line
    while IFS= read -r line || [[ -n $line ]]; do
        case $line in
            '#'*) ;;
            MASTER_KEYS=generate-me) line=MASTER_KEYS=k1:$(fresh_secret) ;;
            APPLE_PRIVATE_KEY=generate-me) line=APPLE_PRIVATE_KEY_FILE=$apple_development_key ;;
            *=generate-me) line=${line%generate-me}$(fresh_secret) ;;
        esac
        printf '%s\n' "$line"
    done <"$root/.env.example"
}

# known_settings FOLDER FILE: the settings of the file that the folder's program knows: it refuses others.
known_settings() {
    local names
    names=$("$1/gateway" check-configuration --print-example | sed --quiet --regexp-extended 's/^#? ?([A-Z0-9_]+)=.*/\1/p' | paste --serial --delimiters '|')
    grep --extended-regexp "^($names)=" "$2"
}

# database_in_words URL: database and host only: the URL has a password.
database_in_words() {
    local rest=${1#*://} query='' host database='' part parts
    local one='(\[[0-9a-fA-F:.%]+\]|[^],:@[]*)(:[0-9]*)?'
    # A URL that libpq would read differently could show a part of the password.
    [[ $1 =~ ^postgres(ql)?:// ]] || return 1
    if [[ ${rest%%/*} == *@* ]]; then rest=${rest#*@}; fi
    if [[ $rest == *\?* ]]; then query=${rest#*\?} rest=${rest%%\?*}; fi
    host=${rest%%/*}
    if [[ $rest == */* ]]; then database=${rest#*/}; fi
    IFS='&' read -ra parts <<<"$query"
    for part in "${parts[@]}"; do
        case $part in
            host=*) host=${part#*=} ;;
            dbname=*) database=${part#*=} ;;
        esac
    done
    [[ $host =~ ^$one(,$one)*$ && $database != *[@:]* ]] || return 1
    printf '%s at %s' "${database:-the default database}" "${host:-this machine}"
}

# setting KEY [DEFAULT]: the environment's value, else .env's, else the default.
setting() {
    local value=${!1:-}
    if [[ -z $value && -r $root/.env ]]; then
        value=$(sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" "$root/.env" | tail -n 1)
        value=${value%"${value##*[![:space:]]}"}
    fi
    printf '%s' "${value:-${2:-}}"
}
