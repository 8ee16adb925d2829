# shellcheck shell=bash
# System packages of Debian 12 and Ubuntu 24.04: finds out what is missing, and asks apt only then.

# The packages that building, running and testing need and this machine lacks, one a line.
missing_packages() {
    if command -v pkg-config >/dev/null; then
        pkg-config --exists libcurl || echo libcurl4-openssl-dev
        pkg-config --exists openssl || echo libssl-dev
        pkg-config --exists libpq || echo libpq-dev
        pkg-config --exists libargon2 || echo libargon2-dev
    else
        printf '%s\n' pkg-config libcurl4-openssl-dev libssl-dev libpq-dev libargon2-dev
    fi
    [[ -n $(postgres_binaries) ]] || echo postgresql
    command -v curl >/dev/null || echo curl
    command -v git >/dev/null || echo git
    # The tests' mail servers and certificates.
    command -v python3 >/dev/null || echo python3
    command -v openssl >/dev/null || echo openssl
    command -v psql >/dev/null || echo postgresql-client
}

# Installs what is missing, quietly unless that fails.
install_missing_packages() {
    local missing
    mapfile -t missing < <(missing_packages)
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

# install_packages NAME…
install_packages() {
    local log="$root/var/log/apt.log" administrator=()
    command -v apt-get >/dev/null ||
        fail "Missing: $*. Install them with this system's package manager (only apt is known here) and try again."
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            fail "Missing: $*. Neither root nor sudo is at hand: have them installed with 'apt-get install $*'."
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
    fail "apt-get could not install $*: the end of $log, shown above, says why."
}

# apt [sudo] NAME…: asks nothing, and waits for another apt to end.
apt() {
    local prefix=()
    if [[ $1 == sudo ]]; then
        prefix=(sudo)
        shift
    fi
    prefix+=(env DEBIAN_FRONTEND=noninteractive apt-get --quiet -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120)
    # Lists that are out of date may still do.
    "${prefix[@]}" update || true
    "${prefix[@]}" install --yes --no-install-recommends "$@"
}
