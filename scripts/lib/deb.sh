# shellcheck shell=bash
# The parts of the Debian package, each put into a folder that becomes its root. Needs common.sh.

# The user's commands are in /usr/bin; the program is beside its resources, where it looks for them.
deb_home=usr/lib/login-gateway

# stage_program FOLDER STAGE: without debug information.
stage_program() {
    local home=$2/$deb_home library
    mkdir -p "$home" "$2"/{usr/bin,usr/sbin,usr/share/login-gateway,lib/systemd/system}
    cp "$1/gateway" "$home/"
    cp --recursive "$1"/login-gateway_*.resources "$home/"
    # A release has the Swift libraries inside; a build for development finds them beside it.
    for library in $(swift_libraries "$1/gateway"); do cp "$library" "$home/"; done
    find "$home" -maxdepth 1 -type f -exec strip --strip-debug {} +
    cp "$root/deploy/debian/gateway" "$2/usr/bin/"
    cp "$root"/deploy/debian/login-gateway-{setup,try} "$2/usr/sbin/"
    cp "$root/deploy/postgres/roles.sql" "$2/usr/share/login-gateway/"
    cp "$root/deploy/systemd/gateway.service" "$2/lib/systemd/system/"
}

# swift_libraries PROGRAM: the libraries of the toolchain that it loads.
swift_libraries() { ldd "$1" | awk '$3 ~ "/usr/lib/swift/linux/" { print $3 }'; }

# stage_settings PROGRAM STAGE: every setting with its default, which the program itself knows.
stage_settings() {
    local folder=$2/etc/login-gateway
    mkdir -p "$folder"
    "$1" check-configuration --print-reference | python3 "$root/scripts/default-settings.py" >"$folder/settings.env"
}

# stage_manual PROGRAM STAGE VERSION
stage_manual() {
    local folder=$2/usr/share/man day
    day=$(date --utc --date "@$SOURCE_DATE_EPOCH" +%F)
    mkdir -p "$folder"/man{1,8}
    "$1" --experimental-dump-help | python3 "$root/scripts/manual.py" "$folder/man1" "$3" "$day"
    usage_page setup "set the gateway up on this machine, and migrate it" "$3" "$day" >"$folder/man8/login-gateway-setup.8"
    usage_page try "try the gateway on this machine" "$3" "$day" >"$folder/man8/login-gateway-try.8"
    find "$folder" -type f -exec gzip --best --no-name {} +
}

# usage_page NAME SUMMARY VERSION DAY: the help of login-gateway-NAME as a page.
usage_page() {
    printf '.TH LOGIN-GATEWAY-%s 8 "%s" "login-gateway %s" "Login gateway"\n' "${1^^}" "$4" "$3"
    printf '.SH NAME\nlogin-gateway-%s \\- %s\n.SH DESCRIPTION\n.nf\n' "$1" "$2"
    "$root/deploy/debian/login-gateway-$1" --help | sed 's/\\/\\e/g; s/-/\\-/g; s/^[.'"'"']/\\\&&/'
    printf '.fi\n.SH SEE ALSO\n\\fBgateway\\fR(1)\n'
}

# stage_completions PROGRAM STAGE
stage_completions() {
    local shell file
    declare -A files=([bash]=bash-completion/completions/gateway [zsh]=zsh/vendor-completions/_gateway
        [fish]=fish/vendor_completions.d/gateway.fish)
    for shell in bash zsh fish; do
        file=$2/usr/share/${files[$shell]}
        mkdir -p "${file%/*}"
        "$1" --generate-completion-script "$shell" >"$file"
    done
}

# stage_documents STAGE
stage_documents() {
    local folder=$1/usr/share/doc/login-gateway
    mkdir -p "$folder/examples"
    cp "$root"/docs/*.md "$folder/"
    cp "$root"/deploy/proxy/{nginx.conf,Caddyfile} "$folder/examples/"
    gzip --best --no-name --stdout "$root/CHANGELOG.md" >"$folder/changelog.gz"
    licences >"$folder/copyright"
}

# The licences and notices of the parts inside the program, each text once.
licences() {
    local file sum
    declare -A texts=() parts=()
    printf 'Login gateway. The program contains the parts below, with their licences and notices.\n'
    for file in "$root"/.build/checkouts/*/{LICENSE,NOTICE}*; do
        [[ -f $file ]] || continue
        sum=$(sha256sum <"$file")
        texts[$sum]=$file
        parts[$sum]+=" $(basename "$(dirname "$file")")"
    done
    for sum in $(printf '%s\n' "${!texts[@]}" | cut --delimiter ' ' --fields 1 | sort); do
        printf '\n----%s:\n\n' "${parts["$sum  -"]}"
        cat "${texts["$sum  -"]}"
    done
}

# stage_control STAGE VERSION WORK. The packed relocations of a release need libc6 2.36, which no symbol says.
stage_control() {
    local folder=$1/DEBIAN libraries
    libraries=$(libraries_of "$1" "$3")
    mkdir -p "$folder"
    cp "$root"/deploy/debian/{postinst,prerm,postrm} "$folder/"
    printf '/etc/login-gateway/settings.env\n' >"$folder/conffiles"
    cat >"$folder/control" <<END
Package: login-gateway
Version: $2
Architecture: $(dpkg --print-architecture)
Maintainer: ${DEBFULLNAME:-Login gateway} <${DEBEMAIL:-root@localhost}>
Section: net
Priority: optional
Installed-Size: $(size_of "$1")
Depends: $libraries, libc6 (>= 2.36), ca-certificates, passwd, tzdata
Recommends: postgresql
Description: login server with many sign-in methods
 Apps post any credential to one endpoint and get a session: a token of a
 provider, a password, a mailed code, a passkey. One account for each user, in
 PostgreSQL, and sessions of its own.
END
    (cd "$1" && find . -path ./DEBIAN -prune -o -type f -print0 | sort --zero-terminated | xargs --null md5sum) |
        sed 's, \./, ,' >"$folder/md5sums"
}

# size_of STAGE: in KiB, the same on every file system.
size_of() { find "$1" -type f -printf '%s\n' | awk '{ sum += int($1 / 1024) + 1 } END { print sum }'; }

# libraries_of STAGE WORK: the packages with the libraries that the program loads, as dpkg-shlibdeps finds them.
libraries_of() {
    local programs=("$1/$deb_home/gateway") flags=()
    mapfile -t -O 1 programs < <(find "$1/$deb_home" -maxdepth 1 -name 'lib*.so*' | sort)
    # Those of the toolchain are of no package, and beside the program.
    ((${#programs[@]} == 1)) || flags=(--ignore-missing-info)
    mkdir -p "$2/debian"
    printf 'Source: login-gateway\n\nPackage: login-gateway\nArchitecture: any\n' >"$2/debian/control"
    (cd "$2" && dpkg-shlibdeps -O "${flags[@]}" "${programs[@]/#/-e}" 2>"$2/shlibdeps.log") |
        sed --quiet 's/^shlibs:Depends=//p' ||
        fail "The packages of the program's libraries could not be found: $(tail --lines 3 "$2/shlibdeps.log")"
}

# even_out STAGE: the same rights and times on every machine; only root reads settings.
even_out() {
    chmod --recursive u=rwX,go=rX "$1"
    chmod 0600 "$1/etc/login-gateway/settings.env"
    find "$1" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
}
