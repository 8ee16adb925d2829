import Foundation
import TestSupport
import Testing

/// The scripts of `make` in situations that could do harm.
@Suite("The scripts")
struct ScriptTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").path

    /// Runs `body` with a folder that has a space in its name.
    private static func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let spaced = folder + "/a folder"
        try FileManager.default.createDirectory(atPath: spaced, withIntermediateDirectories: true)
        try await body(spaced)
    }

    @Test("the clean-up commands of a script keep their arguments, with any characters")
    func stopping() async throws {
        try await Self.inFolder { folder in
            for name in ["a b", "a", "b", "$HOME"] {
                _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil)
            }
            let script = """
                set -euo pipefail
                source "$1/scripts/lib/processes.sh"
                stop_everything_at_exit
                cd "$2"
                when_stopping rm -f "a b"
                when_stopping rm -f "$2/\\$HOME"
                """
            try await ChildProcess.run(["bash", "-c", script, "bash", Self.root, folder])
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.sorted() == ["a", "b"])
        }
    }

    @Test("files in use are not deleted", arguments: ["run", "test", "bench"])
    func cleaning(lock: String) async throws {
        try await Self.inFolder { folder in
            try FileManager.default.copyItem(atPath: Self.root + "/scripts", toPath: folder + "/scripts")
            try FileManager.default.createDirectory(atPath: folder + "/var", withIntermediateDirectories: true)
            let script = """
                exec 9>>"$1/var/$2.lock"
                flock --nonblock 9
                ! "$1/scripts/clean.sh" data 9>&- 2>/dev/null && [[ -f $1/var/$2.lock ]]
                """
            try await ChildProcess.run(["bash", "-euo", "pipefail", "-c", script, "bash", folder, lock])
        }
    }

    @Test("the time that is left of a build never grows between two estimates, and ends with the estimate")
    func timeLeft() async throws {
        // Each line that is read takes a minute.
        let script = #"""
            source "$1/scripts/lib/swift.sh"
            unset SECONDS
            SECONDS=0
            read() { builtin read "$@" && SECONDS=$((SECONDS + 60)); }
            steps='[100/1000] Compiling CNIO a.c
            [200/1000] Compiling NIOCore a.swift
            [300/1000] Compiling NIOCore b.swift
            [500/1000] Compiling NIOHTTP1 a.swift
            [600/1000] Compiling NIOHTTP1 b.swift'
            wanted='Building: step 100 of 1000
            Building: step 200 of 1000, about 3 min left
            Building: step 300 of 1000, about 2 min left
            Building: step 500 of 1000, about 1 min left
            Building: step 600 of 1000'
            [[ $(show_build_progress yes <<<"$steps") == "$wanted" ]]
            """#
        try await ChildProcess.run(["bash", "-euo", "pipefail", "-c", script, "bash", Self.root])
    }

    @Test("a release of the clients needs a newer version and a clean tree, and else changes nothing")
    func release() async throws {
        try await Self.inFolder { folder in
            try FileManager.default.copyItem(atPath: Self.root + "/scripts", toPath: folder + "/scripts")
            let script = """
                cd "$1"
                git init --quiet
                git add scripts
                git -c user.name=a -c user.email=a@localhost commit --quiet --message a
                git -c user.name=a -c user.email=a@localhost tag 1.10.0
                [[ $(scripts/release-clients.sh 1.9.0 2>&1) == *"1.10.0 exists already"* ]]
                [[ $(scripts/release-clients.sh v1.11.0 2>&1) == *"is no version"* ]]
                touch more
                [[ $(scripts/release-clients.sh 1.11.0 2>&1) == *"commit or remove them"* ]]
                [[ $(git tag) == 1.10.0 && $(git status --porcelain) == "?? more" ]]
                """
            try await ChildProcess.run(["bash", "-eu", "-c", script, "bash", folder])
        }
    }

    @Test("a program that a test starts ends with the tests, even if they crash")
    func children() async throws {
        // PR_GET_PDEATHSIG
        let script = """
            import ctypes
            signal = ctypes.c_int()
            assert ctypes.CDLL(None).prctl(2, ctypes.byref(signal)) == 0
            print(signal.value, end="")
            """
        let printed = try await ChildProcess.run(["python3", "-c", script])
        #expect(String(decoding: printed, as: UTF8.self) == "\(SIGKILL)")
    }
}
