# shellcheck shell=bash
# The Swift toolchain, and building only when something changed.

swift_homes=(/opt/swift/usr/bin /usr/share/swift/usr/bin /usr/local/swift/usr/bin /usr/libexec/swift/bin
    "${HOME:-/root}/.local/share/swiftly/bin" "${HOME:-/root}/swift/usr/bin")

# The version of the `swift` in a folder as "6.3"; empty when it does not run.
swift_version_in() {
    local text
    text=$("$1/swift" --version 2>/dev/null) || return 0
    [[ $text =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] || return 0
    printf '%s.%s' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
}

# Puts a new enough Swift on PATH, or fails. .swift-version names the lowest version.
require_swift() {
    local wanted home found='' version
    IFS=. read -r -a wanted <"$root/.swift-version"
    local path_home
    path_home=$(command -v swift || true)
    for home in ${path_home:+"${path_home%/*}"} "${swift_homes[@]}"; do
        [[ -x $home/swift ]] || continue
        version=$(swift_version_in "$home")
        if [[ -z $version ]]; then
            found="${found:-the one in $home does not run}"
        elif ((${version%.*} * 1000 + ${version#*.} >= wanted[0] * 1000 + wanted[1])); then
            [[ $home == "${path_home%/*}" ]] || export PATH="$home:$PATH"
            return
        else
            found="${found:-the one in $home is $version}"
        fi
    done
    fail "Swift ${wanted[0]}.${wanted[1]} or newer is needed and ${found:-none was found}:" \
        "install it from https://www.swift.org/install/linux and have it on PATH."
}

# The flags of a release build: one self-contained program that starts without the toolchain's libraries.
#
# Its relocations are packed (DT_RELR, glibc 2.36), which only lld does: a start reads and keeps 3 MiB less.
release_flags=(
    --configuration release --static-swift-stdlib
    -Xswiftc -Xclang-linker -Xswiftc -fuse-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
)

# The flags of a development build, with which `make run` builds the programs, and `make test` the tests on top of them.
# Debug information costs a tenth of a build; DEBUG_INFORMATION=1 adds it, for a debugger. SwiftPM needs the index: it finds
# the tests there.
development_flags=()
[[ -n ${DEBUG_INFORMATION:-} ]] || development_flags=(-debug-info-format none)

# release_is_stale PRODUCT…: whether the release build of a program is missing or older than its sources.
release_is_stale() {
    local product stamp
    for product in "$@"; do
        stamp="$root/.build/release.$product.stamp"
        [[ -f $stamp && -x $root/.build/release/$product ]] || return 0
        [[ -z $(find "$root/Sources" "$root/Package.swift" "$root/.swift-version" -newer "$stamp" -print -quit) ]] || return 0
    done
    return 1
}

# Builds the programs for this machine; SwiftPM itself sees what has changed. All at once, so that the compiler uses every
# processor.
build_development() {
    require_swift
    local begun first=''
    if [[ ! -d $root/.build/debug ]]; then
        require_disk 3 "The first build"
        first=yes
        say "The first build compiles every library. Later ones take seconds."
    fi
    begun=$(microseconds)
    run_process "the build" swift build --package-path "$root" "${development_flags[@]}" </dev/null \
        > >(show_build_progress "$first" >&2) 2>&1 || fail "The build failed: the compiler's messages are above."
    require_package_versions
    say "Built in $(elapsed "$begun")."
}

# What SwiftPM says about files of other packages that it does not build.
unhandled_files="^warning: '[^']+': found [0-9]+ file|^ +/.*/checkouts/"

# What percentage of a first build is over when the compiler begins with a module: measured, with two processors. Earlier
# modules say too little about the speed of this machine.
declare -A build_share=([NIOCore]=40 [Sessions]=55 [SignIn]=68 [HTTPServer]=75 [Web]=81 [Commands]=88 [Gateway]=95)

# show_build_progress FIRST: reads what SwiftPM writes, and shows its steps with the time that is left: redrawn on a
# terminal; elsewhere each tenth of a first build. Messages of the compiler stay as they are.
show_build_progress() {
    local first=$1 begun=$SECONDS shown=0 share=0 end=0 text line drawn='' number of
    while IFS= read -r text; do
        if [[ $text =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
            number=${BASH_REMATCH[1]} of=${BASH_REMATCH[2]}
            if [[ $text =~ (Compiling|module)\ ([A-Za-z]+) ]] && ((${build_share[${BASH_REMATCH[2]}]:-0} > share)); then
                share=${build_share[${BASH_REMATCH[2]}]}
                end=$((begun + (SECONDS - begun) * 100 / share))
            fi
            line="Building: step $number of $of"
            [[ -z $first ]] || line+=$(time_left $((end - SECONDS)))
            if [[ -t 1 ]]; then
                printf '\r\e[K%s' "$line"
                drawn=yes
            # SwiftPM counts its plugins by themselves, before the program.
            elif [[ -n $first ]] && ((of >= 100 && 10 * number / of > shown)); then
                shown=$((10 * number / of))
                printf '%s\n' "$line"
            fi
        elif [[ ! $text =~ ^(Fetch|Updat|Comput|Creating|Working|Building|Build|Planning) && ! $text =~ $unhandled_files ]]; then
            [[ -z $drawn ]] || printf '\r\e[K'
            drawn=''
            printf '%s\n' "$text"
        fi
    done
    [[ -z $drawn ]] || printf '\r\e[K'
}

# time_left SECONDS: ", about 3 min left"; nothing without an estimate, or after its end.
time_left() {
    (($1 <= 0)) || printf ', about %d min left' $((($1 + 59) / 60))
}

# SwiftPM resolves while it builds, so this follows the build.
require_package_versions() {
    "$root/scripts/package-versions.sh" || fail "The build has other packages than the reviewed ones: they are above."
}

# build_release PRODUCT…: builds these programs for release if anything changed since the last time; sets nothing, leaves
# .build/release behind. By product: the sample in the manifest would build libraries that only the tests need.
build_release() {
    release_is_stale "$@" || return 0
    require_swift
    [[ -d $root/.build/release ]] || require_disk 3 "The first build"
    say "Building for release (some minutes the first time, seconds after an edit)."
    local begun product
    begun=$(microseconds)
    mkdir -p "$root/.build"
    # The stamps have the time of the start: an edit during the build is built the next time.
    for product in "$@"; do touch "$root/.build/release.$product.stamp.new"; done
    for product in "$@"; do
        run_process "the build" swift build --package-path "$root" "${release_flags[@]}" --product "$product" </dev/null >&2 ||
            fail "The release build failed: the compiler's messages are above."
    done
    require_package_versions
    for product in "$@"; do mv "$root/.build/release.$product.stamp.new" "$root/.build/release.$product.stamp"; done
    say "Built in $(elapsed "$begun")."
}
