# shellcheck shell=bash
# System packages of Debian 12 and Ubuntu 24.04: lists the missing ones, and calls apt only for them.

# The packages that building, running and testing need and this machine lacks, one a line.
missing_packages() {
    if command -v pkg-config >/dev/null; then
        pkg-config --exists libcurl || echo libcurl4-openssl-dev
        pkg-config --exists libidn2 || echo libidn2-dev
        pkg-config --exists openssl || echo libssl-dev
        pkg-config --exists libpq || echo libpq-dev
        pkg-config --exists libargon2 || echo libargon2-dev
        pkg-config --exists libxcrypt || echo libcrypt-dev
        pkg-config --exists libqrencode || echo libqrencode-dev
        pkg-config --exists zlib || echo zlib1g-dev
    else
        printf '%s\n' pkg-config libcurl4-openssl-dev libidn2-dev libssl-dev libpq-dev libargon2-dev libcrypt-dev \
            libqrencode-dev zlib1g-dev
    fi
    [[ -n $(postgres_binaries) ]] || echo postgresql
    command -v curl >/dev/null || echo curl
    command -v git >/dev/null || echo git
    # The tests' mail servers and certificates.
    command -v python3 >/dev/null || echo python3
    command -v openssl >/dev/null || echo openssl
    command -v psql >/dev/null || echo postgresql-client
}

# The same for the tests alone: a browser, its driver, a reader of QR codes, Node and TypeScript, a cluster that fails
# over, Go for docs/backends.md, relying parties, and pip for the downloads below.
missing_test_packages() {
    # Ubuntu has a browser as a snap only, which can't be driven here: CHROMIUM and CHROMEDRIVER name another.
    if ! grep --quiet '^ID=ubuntu' /etc/os-release 2>/dev/null; then
        command -v "${CHROMIUM:-chromium-headless-shell}" >/dev/null || echo chromium-headless-shell
        command -v "${CHROMEDRIVER:-chromedriver}" >/dev/null || echo chromium-driver
    fi
    [[ -x $(command -v pgbouncer || echo /usr/sbin/pgbouncer) ]] || echo pgbouncer
    command -v zbarimg >/dev/null || echo zbar-tools
    missing_client_packages
    missing_cluster_packages
    missing_go_packages
    missing_party_packages
    { have_axe && have_moto && have_new_cognito_model && have_pyjwt && have_authlib && have_mcp && have_allauth &&
        have_idpyoidc; } || python3 -m pip --version >/dev/null 2>&1 || echo python3-pip
}

# The same for the TypeScript library in clients/typescript.
missing_client_packages() {
    missing_node
    command -v tsc >/dev/null || echo node-typescript
    command -v npm >/dev/null || echo npm
}

# The same for the API reference.
missing_node() { command -v node >/dev/null || echo nodejs; }

# The same for deploy/patroni/cluster.sh, which a test of a fail-over starts.
missing_cluster_packages() {
    command -v patroni >/dev/null || echo patroni
    command -v etcd >/dev/null || echo etcd-server
    command -v pgrep >/dev/null || echo procps
    command -v psql >/dev/null || echo postgresql-client
}

# The same for the Go code of docs/backends.md.
missing_go_packages() {
    command -v go >/dev/null || echo golang-go
    [[ -d /usr/share/gocode/src/github.com/coreos/go-oidc ]] || echo golang-github-coreos-go-oidc-dev
}

# The same for the relying parties of Tests/GatewayTests/OpenID; go-oidc is above.
missing_party_packages() {
    [[ -e /usr/lib/apache2/modules/mod_auth_openidc.so ]] || echo libapache2-mod-auth-openidc
    command -v oidc-agent >/dev/null || echo oidc-agent-cli
}

# The same for the Debian package.
missing_deb_packages() {
    command -v dpkg-shlibdeps >/dev/null || echo dpkg-dev
    command -v strip >/dev/null || echo binutils
    command -v python3 >/dev/null || echo python3
}

# The same for its test: a Debian in a folder, with a network and a PostgreSQL of its own.
missing_deb_test_packages() {
    command -v debootstrap >/dev/null || echo debootstrap
    command -v ip >/dev/null || echo iproute2
    [[ -n $(postgres_binaries) ]] || echo postgresql
    command -v curl >/dev/null || echo curl
}

# Installs what is missing, quietly unless that fails.
install_missing_packages() { install_listed missing_packages; }

install_missing_test_packages() { install_listed missing_test_packages; }

# install_listed LISTER
install_listed() {
    local missing
    mapfile -t missing < <("$1")
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

# install_packages NAME…
install_packages() {
    local log="$root/var/log/apt.log" administrator=()
    command -v apt-get >/dev/null ||
        fail "Missing: $*. Install them with this system's package manager (only apt is known here) and try again."
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            fail "Missing: $*. There is neither root nor sudo here: have them installed with 'apt-get install $*'."
        administrator=(sudo)
    fi
    mkdir -p "${log%/*}"
    say "Installing $*."
    local try
    for try in 1 2 3; do
        if apt "${administrator[@]}" "$@" >"$log" 2>&1; then
            hash -r
            return
        fi
        ((try == 3)) || sleep $((try * 5))
    done
    tail -n 20 "$log" >&2
    fail "apt-get could not install $*: the end of $log is above."
}

# apt [sudo] NAME…: runs without questions, and waits until another apt has ended.
apt() {
    local prefix=()
    if [[ $1 == sudo ]]; then
        prefix=(sudo)
        shift
    fi
    prefix+=(env DEBIAN_FRONTEND=noninteractive apt-get --quiet -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120)
    # An outdated list may be enough.
    "${prefix[@]}" update || true
    "${prefix[@]}" install --yes --no-install-recommends "$@"
}

# axe-core, which checks the hosted pages in the tests: one version, with the checksum of its file.
axe_package=axe-core-python==0.1.0
axe_member=axe_core_python/axe.min.js
axe_sha256=697ea6c7edff0fe289b7bbecf1ff7b9015249bc834b409a348cd060df80aeba0
axe_script="$root/var/axe/axe.min.js"

have_axe() { [[ -f $axe_script && $(sha256sum <"$axe_script") == "$axe_sha256 "* ]]; }

# moto, an independent imitation of Amazon's services: the tests sign in at one of its user pools.
# boto3 comes with it, in the version that docs/compatibility/cognito.md names.
moto_package='moto[cognitoidp,server]==5.2.1'
boto3_package=boto3==1.44.8
moto_path="$root/var/moto"

have_moto() { [[ -d $moto_path/moto-5.2.1.dist-info && -d $moto_path/boto3-1.44.8.dist-info ]]; }

fetch_moto() { have_moto || fetch_package "$moto_path" "$moto_package" "$boto3_package"; }

# The description of Cognito's API in botocore. It has no fixed version, so that a test shows what a new release adds.
# After a day the newest one is fetched again; without the network the tests use the one before.
cognito_model="$root/var/cognito/service-2.json"
cognito_model_member=botocore/data/cognito-idp/2016-04-18/service-2.json.gz

have_new_cognito_model() { [[ -n $(find "$cognito_model" -mtime -1 2>/dev/null) ]]; }

fetch_cognito_model() {
    local folder
    have_new_cognito_model && return
    say "Fetching the newest botocore."
    folder=$(mktemp -d "${TMPDIR:-/tmp}/botocore.XXXXXX")
    if python3 -m pip download --quiet --disable-pip-version-check --no-input --no-deps --only-binary :all: \
        --dest "$folder" botocore >&2 && python3 -m zipfile --extract "$folder"/*.whl "$folder"; then
        mkdir -p "${cognito_model%/*}"
        gzip --decompress --stdout "$folder/$cognito_model_member" >"$folder/model"
        mv "$folder/model" "$cognito_model"
    else
        say "botocore could not be fetched."
    fi
    rm -rf "$folder"
}

# PyJWT, for the Python code of docs/backends.md.
pyjwt_package='pyjwt[crypto]==2.15.1'
pyjwt_path="$root/var/pyjwt"

have_pyjwt() { [[ -d $pyjwt_path/pyjwt-2.15.1.dist-info ]]; }

fetch_pyjwt() { have_pyjwt || fetch_package "$pyjwt_path" "$pyjwt_package"; }

# Authlib, a relying party of OpenID Connect.
authlib_package=Authlib==1.9.10
authlib_path="$root/var/authlib"

have_authlib() { [[ -d $authlib_path/authlib-1.9.10.dist-info ]]; }

fetch_authlib() { have_authlib || fetch_package "$authlib_path" "$authlib_package"; }

# django-allauth, for websites that are relying parties.
allauth_package='django-allauth[socialaccount]==65.22.1'
django_package=django==5.2.19
allauth_path="$root/var/allauth"

have_allauth() { [[ -d $allauth_path/django_allauth-65.22.1.dist-info && -d $allauth_path/django-5.2.19.dist-info ]]; }

fetch_allauth() { have_allauth || fetch_package "$allauth_path" "$allauth_package" "$django_package"; }

# idpyoidc, another relying party of OpenID Connect.
idpyoidc_package=idpyoidc==5.0.0
idpyoidc_path="$root/var/idpyoidc"

have_idpyoidc() { [[ -d $idpyoidc_path/idpyoidc-5.0.0.dist-info ]]; }

fetch_idpyoidc() { have_idpyoidc || fetch_package "$idpyoidc_path" "$idpyoidc_package"; }

# fetch_package FOLDER PACKAGE…: installs Python packages once, for the tests alone. Without them only the tests that
# need them fail, with a message.
fetch_package() {
    local folder path=$1
    shift
    say "Fetching $*."
    folder=$(mktemp -d "${TMPDIR:-/tmp}/package.XXXXXX")
    if python3 -m pip install --quiet --disable-pip-version-check --no-input --root-user-action=ignore --only-binary :all: \
        --target "$folder" "$@" >&2; then
        rm -rf "$path"
        mkdir -p "${path%/*}"
        mv "$folder" "$path"
    else
        say "$* could not be fetched."
        rm -rf "$folder"
    fi
}

# Fetches it once. Without it only the tests that need it fail, with a message.
fetch_axe() {
    local folder
    have_axe && return
    say "Fetching $axe_package."
    folder=$(mktemp -d "${TMPDIR:-/tmp}/axe.XXXXXX")
    if python3 -m pip download --quiet --disable-pip-version-check --no-input --no-deps --only-binary :all: \
        --dest "$folder" "$axe_package" >&2 && python3 -m zipfile --extract "$folder"/*.whl "$folder"; then
        mkdir -p "${axe_script%/*}"
        mv "$folder/$axe_member" "$axe_script"
        have_axe || {
            rm -f "$axe_script"
            say "The file of $axe_package has a different checksum than expected."
        }
    else
        say "$axe_package could not be fetched."
    fi
    rm -rf "$folder"
}

# mcp, an agent and a server of the Model Context Protocol.
mcp_package=mcp==2.3.0
mcp_path="$root/var/mcp"

have_mcp() { [[ -d $mcp_path/mcp-2.3.0.dist-info ]]; }

fetch_mcp() { have_mcp || fetch_package "$mcp_path" "$mcp_package"; }
