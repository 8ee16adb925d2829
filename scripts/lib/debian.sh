# shellcheck shell=bash
# A Debian of its own in a folder, to install packages in. Needs common.sh, root, and a $debian for all but the first.

# debian_unpack FOLDER PACKAGE…: the system of this machine's release with these packages, from a file in var that is made
# once. Ends the script with 3 if this machine's mirror gives none.
debian_unpack() {
    local folder=$1 suite archive sum
    shift
    suite=$(sed --quiet 's/^VERSION_CODENAME=//p' /etc/os-release)
    sum=$(printf '%s\n' "$@" | sort | cksum)
    archive="$root/var/debian-$suite-${sum%% *}.tar"
    if [[ ! -f $archive ]]; then
        say "Making a Debian in $archive (once, some minutes)."
        debian_make "$folder" "$suite" "$@"
        tar --create --file "$archive.new" --directory "$folder" --numeric-owner .
        mv "$archive.new" "$archive"
    else
        mkdir -p "$folder"
        tar --extract --file "$archive" --directory "$folder" --numeric-owner
    fi
}

# debian_make FOLDER SUITE PACKAGE…
debian_make() {
    local folder=$1 suite=$2 log="$root/var/log/debootstrap.log" components=main names
    shift 2
    if grep --quiet '^ID=ubuntu' /etc/os-release; then components=main,universe; fi
    names=$(IFS=, && printf '%s' "$*")
    mkdir -p "${log%/*}"
    run_process "debootstrap" debootstrap --variant=minbase --components="$components" --include="$names" \
        "$suite" "$folder" "$(debian_mirror "$suite")" >"$log" 2>&1 </dev/null || {
        say "debootstrap failed: $(tail --lines 3 "$log")"
        exit 3
    }
    rm -rf "$folder"/var/cache/apt/*.bin "$folder"/var/cache/apt/archives/*.deb "$folder"/var/lib/apt/lists/*
    # The tests install without a network: what is recommended stays out.
    printf 'APT::Install-Recommends "false";\n' >"$folder/etc/apt/apt.conf.d/90test"
}

# debian_mirror SUITE: where this machine's apt gets its packages; empty for debootstrap's own place.
debian_mirror() {
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(REPO_URI)' "Codename: $1" "Component: main" 2>/dev/null | head --lines 1
}

# in_debian COMMAND…: runs it as root inside, with a plain environment.
in_debian() {
    (cd / && exec chroot "$debian" /usr/bin/env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LANG=C.UTF-8 "$@")
}

# debian_open_cluster NAME: a new cluster of this machine, whose socket is inside too, with the rules of Debian's own:
# no password through the socket, passwords through the network.
debian_open_cluster() {
    local sockets="$debian/run/postgresql" rules
    rules=$(mktemp "${TMPDIR:-/tmp}/pg_hba.XXXXXX")
    when_stopping rm -f "$rules"
    printf 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n' >"$rules"
    chmod 644 "$rules"
    cluster_discard "$1"
    cluster_place "$1"
    mkdir -p "$sockets"
    chown --reference "$cluster_socket" "$sockets"
    when_stopping cluster_remove
    cluster_open "$1" "listen_addresses = '127.0.0.1'" "hba_file = '$rules'" 'unix_socket_permissions = 0777' \
        "unix_socket_directories = '\"$cluster_socket\", \"$sockets\"'" 'fsync = off'
}

# unit_directive NAME: the values of a directive of the installed unit, one a line.
unit_directive() { sed --quiet "s/^$1=//p" "$debian/lib/systemd/system/gateway.service"; }

# start_unit LOG: what systemd would do to start the unit: its user, credentials, environment and command. Sets $unit_pid.
start_unit() {
    local credentials=/run/credentials/gateway.service user command settings=() line
    user=$(unit_directive User)
    in_debian install --directory --mode 0500 --owner "$user" "$credentials"
    while IFS=: read -r name path; do
        in_debian install --mode 0400 --owner "$user" "$path" "$credentials/$name"
    done < <(unit_directive LoadCredential)
    while IFS= read -r line; do
        mapfile -t -O "${#settings[@]}" settings < <(grep '^[A-Z]' "$debian/${line#-}")
    done < <(unit_directive EnvironmentFile)
    line=$(unit_directive ExecStart)
    read -r -a command <<<"${line//%d/$credentials}"
    start_process "the gateway" chroot "$debian" setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs \
        --bounding-set=-all env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        CREDENTIALS_DIRECTORY="$credentials" "${settings[@]}" "${command[@]}" >"$1" 2>&1 </dev/null
    unit_pid=$started_pid
    wait_until 60 "$unit_pid" answers_ok http://127.0.0.1:9090/health/ready ||
        fail "The gateway did not start: $(tail --lines 3 "$1")"
}

# stop_unit: with the signal that systemd sends.
stop_unit() {
    stop_process "$unit_pid" "The gateway"
    forget_process "$unit_pid"
}
