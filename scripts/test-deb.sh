#!/usr/bin/env bash
# Tries the Debian package in a Debian of its own (`make test-deb`): test-deb.sh [FOLDER].
#
# FOLDER has a built `gateway` with its resources; without it a release is built. The package is installed as the README
# says, then as docs/operations.md says, with a PostgreSQL that runs outside of that Debian. It is upgraded, removed and
# purged. Needs root, because it makes a file system and a network of its own.
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=scripts/lib/debian.sh
source "$root/scripts/lib/debian.sh"

password='three small words 7'
email=you@example.com

main() {
    cd "$root"
    stop_everything_at_exit
    if [[ ${1:-} == --inside ]]; then
        work=$2 debian=$2/debian
        inside
    else
        (($# < 2)) || fail "This takes one folder with a built gateway."
        prepare "$@"
        run_process "the test in its own network" unshare --mount --net "$root/scripts/test-deb.sh" --inside "$work"
    fi
}

# What needs the network of this machine.
prepare() {
    local packages
    ((EUID == 0)) || fail "Only root can make a Debian in a folder: use sudo."
    hold_lock "$root/var/test-deb.lock" "The package is already being tested from $root: wait for that run to end."
    install_listed missing_deb_packages
    install_listed missing_deb_test_packages
    work=$(mktemp --directory "${TMPDIR:-/tmp}/test-deb.XXXXXX")
    when_stopping rm -rf "$work"
    chmod 755 "$work"
    # Quickly made: nobody downloads it.
    DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1 \
        "$root/scripts/deb.sh" ${1:+--program "$1"} --output "$work/packages" >/dev/null
    mapfile -t packages < <(dpkg-deb --field "$work"/packages/*.deb Depends | tr ',' '\n' | awk '{ print $1 }')
    debian_unpack "$work/debian" "${packages[@]}" curl postgresql-client sudo
}

inside() {
    ip link set lo up
    mount --bind /proc "$debian/proc"
    in_debian useradd --system --no-create-home postgres
    cp "$work"/packages/*.deb "$debian/root/"
    package=$(basename "$work"/packages/*.deb)
    debian_open_cluster test-deb
    test_readme
    test_installation
    test_upgrade
    test_removal
    say "From dpkg -i to the first login: $first_login. By the three commands of the README: $readme_login."
}

drop_database() {
    cluster_sql postgres --command 'drop database login' --command 'drop role gateway_serve' \
        --command 'drop role gateway_migrate'
}

# in_database QUERY: its only value.
in_database() { cluster_sql login --tuples-only --no-align --command "$1"; }

# expect WORDS COMMAND…
expect() {
    local words=$1
    shift
    "$@" >>"$work/log" 2>&1 || fail "Not so: $words. The end of the output: $(tail --lines 5 "$work/log")"
    say "ok: $words"
}

# The commands of the README's section, one a line. The second one serves until it is stopped.
test_readme() {
    local commands begun
    mapfile -t commands < <(awk '/^## / { here = /^## Install/ } /^```/ { code = !code; next } here && code' "$root/README.md")
    ((${#commands[@]} == 3)) || fail "The README has ${#commands[@]} commands for the installation, and three are promised."
    begun=$(microseconds)
    in_debian bash -c "cd && ${commands[0]}" >"$work/readme.log" 2>&1 </dev/null || fail "$(cat "$work/readme.log")"
    printf '%s\n' "$password" >"$work/password"
    # shellcheck disable=SC2016
    start_process "the trial" bash -c 'exec chroot "$0" bash -c "$1" <"$2"' "$debian" "${commands[1]}" "$work/password" \
        >>"$work/readme.log" 2>&1
    wait_until 60 "$started_pid" answers_ok http://127.0.0.1:9090/health/ready ||
        fail "The trial did not start: $(tail --lines 5 "$work/readme.log")"
    in_debian bash -c "${commands[2]}" >"$work/answer.json"
    readme_login=$(elapsed "$begun")
    expect "the README's three commands lead to a session" grep --quiet '"status":"signed_in"' "$work/answer.json"
    stop_process "$started_pid" "The trial"
    forget_process "$started_pid"
    expect "purged after a trial" in_debian dpkg --purge login-gateway
    drop_database
}

test_installation() {
    local begun
    begun=$(microseconds)
    in_debian dpkg --install "/root/$package" >"$work/install.log" 2>&1 || fail "$(cat "$work/install.log")"
    in_debian login-gateway-setup --public-url https://login.your-company.com --mail-from login@your-company.com \
        --smtp-host localhost --set SMTP_SECURITY=none --set DRAIN_SECONDS=0 --client-id app --skip-checks \
        >"$work/setup.log" 2>&1 </dev/null || fail "$(cat "$work/setup.log")"
    start_unit "$work/unit.log"
    printf '%s\n' "$password" | in_debian gateway accounts create --email "$email" |
        grep --only-matching --extended-regexp '[0-9a-f-]{36}' >"$work/account"
    sign_in 8080
    first_login=$(elapsed "$begun")
    say "ok: a user signed in $first_login after dpkg -i"
    expect "the installation names the next step" grep --quiet 'gateway init' "$work/install.log"
    expect "only root reads the settings" test \
        "$(cd "$debian/etc/login-gateway" && stat --format '%a %U' -- *.env | sort --unique)" = '600 root'
    expect "no output has a secret" no_secrets
    expect "the unit is enabled" \
        test -L "$debian/etc/systemd/system/multi-user.target.wants/gateway.service"
    expect "the settings are in order" in_debian gateway check-configuration
}

# sign_in PORT: sets $token.
sign_in() {
    local body
    body=$(printf '{"provider":"password","client_id":"app","credential":{"username":"%s","password":"%s"}}' "$email" "$password" |
        in_debian curl --silent --fail "http://127.0.0.1:$1/v1/sign-in" --header 'content-type: application/json' --data @-) ||
        fail "Nobody can sign in."
    [[ $body =~ \"id\":\"$(<"$work/account")\" && $body =~ \"access_token\":\"([^\"]+)\" ]] ||
        fail "The sign-in has another answer."
    token=${BASH_REMATCH[1]}
}

# The master key and the passwords of both roles.
no_secrets() {
    sed --quiet --regexp-extended 's,^(MASTER_KEYS=[^:]*:|DATABASE_URL=.*:)([^@:]+)(@.*)?$,\2,p' \
        "$debian"/etc/login-gateway/{gateway,migrate}.env >"$work/secrets"
    (($(wc --lines <"$work/secrets") == 3)) && ! grep --fixed-strings --quiet --file "$work/secrets" "$work"/*.log
}

# A later version: a migration more, and other default settings.
make_second_package() {
    local folder="$work/second" schema last
    dpkg-deb --raw-extract "$work/packages/$package" "$folder"
    sed --in-place 's/^Version: .*/&+second/' "$folder/DEBIAN/control"
    schema=$(find "$folder/usr/lib" -name Schema)
    last=$(find "$schema" -name '*.sql' | wc --lines)
    printf 'create table second_version (id bigint);\n' >"$schema/$(printf '%04d' $((last + 1)))_second.sql"
    printf '\n# A setting of the second version.\n#SECOND=\n' >>"$folder/etc/login-gateway/settings.env"
    DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1 \
        dpkg-deb --build "$folder" "$debian/root/second.deb" >/dev/null
}

# As docs/operations.md says: the package, login-gateway-setup, the service.
test_upgrade() {
    local kept
    make_second_package
    printf 'PORT=18080\n' >>"$debian/etc/login-gateway/settings.env"
    kept=$(cat "$debian"/etc/login-gateway/*.env | cksum)
    expect "the package is upgraded" in_debian dpkg --force-confold --install /root/second.deb
    expect "the settings are kept" test "$(cat "$debian"/etc/login-gateway/*.env | cksum)" = "$kept"
    expect "the new defaults are beside them" grep --quiet SECOND "$debian/etc/login-gateway/settings.env.dpkg-dist"
    expect "the earlier version still serves" answers_ok http://127.0.0.1:9090/health/ready
    sign_in 8080
    expect "the new version refuses the old tables" schema_is_refused
    expect "login-gateway-setup migrates" in_debian login-gateway-setup
    stop_unit
    start_unit "$work/unit.log"
    expect "an earlier session lives on, at the port of the changed settings" in_debian curl --silent --fail \
        http://127.0.0.1:18080/v1/account --header "authorization: Bearer $token"
    sign_in 18080
    expect "commands read the changed settings too" \
        grep --quiet '^PORT *18080' <(in_debian gateway check-configuration)
    expect "the serving role may use the new table" test \
        "$(in_database "select has_table_privilege('gateway_serve', 'second_version', 'insert')")" = t
}

schema_is_refused() {
    local status=0
    in_debian env PORT=0 OPS_PORT=0 gateway serve || status=$?
    ((status == 1))
}

test_removal() {
    stop_unit
    expect "the package is removed" in_debian dpkg --remove login-gateway
    expect "the program is gone" test ! -e "$debian/usr/lib/login-gateway/gateway"
    expect "the settings remain" test -e "$debian/etc/login-gateway/gateway.env"
    expect "the package is purged" in_debian dpkg --purge login-gateway
    remains >"$work/remains"
    expect "nothing remains of it" diff /dev/null "$work/remains"
    expect "the accounts remain" test "$(in_database 'select count(*) from accounts')" = 1
}

# Files and users of the package.
remains() {
    find "$debian"/{etc,usr,lib,var/lib} -name '*login-gateway*' -o -name 'gateway*'
    grep --no-messages login-gateway "$debian"/etc/{passwd,group} || true
}

main "$@"
