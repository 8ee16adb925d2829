import Foundation
import Glibc

/// A private PostgreSQL server in a temporary folder, which a test can kill and restart.
package final class PrivateCluster: Sendable {
    package let folder: String
    package var url: String { "postgresql://postgres@/postgres?host=\(folder)" }

    /// Makes and starts a server that listens only on a socket in its own folder.
    package static func make() async throws -> PrivateCluster {
        let folder = "/tmp/\(TestDatabase.randomName("pgtest"))"
        try await shell("mkdir -m 700 \(folder) && \(chown) \(folder)")
        try await asOwner(
            "\(programs)/initdb -D \(folder)/data -U postgres --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync")
        let cluster = PrivateCluster(folder: folder)
        try await cluster.start()
        return cluster
    }

    private init(folder: String) {
        self.folder = folder
    }

    package func start() async throws {
        let options = "-c listen_addresses='' -c unix_socket_directories=\(folder) -c max_connections=40"
        try await Self.asOwner(
            "\(Self.programs)/pg_ctl -D \(folder)/data -l \(folder)/log -o \"\(options)\" -w -t 30 start")
    }

    /// Makes a running standby of this server; remove it too.
    ///
    /// - Parameter name: its name for `synchronous_standby_names`.
    package func standby(named name: String) async throws -> PrivateCluster {
        let copy = "/tmp/\(TestDatabase.randomName("pgtest"))"
        try await Self.shell("mkdir -m 700 \(copy) && \(Self.chown) \(copy)")
        try await Self.asOwner(
            "\(Self.programs)/pg_basebackup -h \(folder) -U postgres -D \(copy)/data -R --checkpoint=fast --no-sync")
        let source = "primary_conninfo = 'host=\(folder) user=postgres application_name=\(name)'"
        let file = FileHandle(forWritingAtPath: "\(copy)/data/postgresql.auto.conf")
        try file?.seekToEnd()
        try file?.write(contentsOf: Data("\n\(source)\n".utf8))
        try file?.close()
        let cluster = PrivateCluster(folder: copy)
        try await cluster.start()
        return cluster
    }

    /// Makes a standby a primary.
    package func promote() async throws {
        try await Self.asOwner("\(Self.programs)/pg_ctl -D \(folder)/data -w -t 30 promote")
    }

    /// `kill -9` of the server and all its children, like a power cut.
    package func kill() async throws {
        let process = try postmaster()
        // Without a reaper, dead processes stay as zombies, and their lock files look live.
        try await Self.shell(
            """
            kids=$(pgrep -P \(process)); kill -9 \(process) $kids
            for p in \(process) $kids; do while grep -qs '^State:.[^Z]' /proc/$p/status; do sleep 0.01; done; done
            rm -f \(folder)/data/postmaster.pid \(folder)/.s.PGSQL.5432*
            """)
    }

    /// Stops every process of the server without ending it: sockets stay open, but nothing answers.
    package func freeze() async throws {
        let process = try postmaster()
        // A backend may end meanwhile, but none begins once the first process has stopped.
        try await Self.shell("kill -STOP \(process) && { kill -STOP $(pgrep -P \(process)) || true; }")
    }

    package func thaw() async throws {
        let process = try postmaster()
        try await Self.shell("kill -CONT \(process) $(pgrep -P \(process))")
    }

    /// Ends the server if it runs and removes its folder.
    package func remove() async {
        try? await thaw()
        try? await kill()
        try? await Self.shell("rm -rf \(folder)")
    }

    private func postmaster() throws -> Int32 {
        let text = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        guard let process = text.split(separator: "\n").first.flatMap({ Int32($0) }) else {
            throw HarnessError("The private PostgreSQL in \(folder) isn't running.")
        }
        return process
    }

    /// PostgreSQL refuses root, so root uses the postgres user.
    private static var isRoot: Bool { getuid() == 0 }
    private static var chown: String { isRoot ? "chown postgres" : "true" }

    /// The programs in the folder `PG_BIN`, else the newest installed ones.
    package static var programs: String {
        if let named = ProcessInfo.processInfo.environment["PG_BIN"], !named.isEmpty { return named }
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = versions.compactMap { Int($0) }.max()
        return newest.map { "/usr/lib/postgresql/\($0)/bin" } ?? "/usr/bin"
    }

    private static func asOwner(_ command: String) async throws {
        try await shell(isRoot ? "runuser -u postgres -- \(command)" : command)
    }

    /// A started server outlives the shell, and would keep the shell's output open.
    private static func shell(_ command: String) async throws {
        try await ChildProcess.run(["sh", "-c", "cd / && (\(command)) >/dev/null 2>&1 </dev/null"])
    }
}

/// Runs `body` with a private PostgreSQL server, and removes the server afterwards.
@discardableResult
package func withPrivateCluster<Value>(_ body: (PrivateCluster) async throws -> Value) async throws -> Value {
    let cluster = try await PrivateCluster.make()
    do {
        let value = try await body(cluster)
        await cluster.remove()
        return value
    } catch {
        await cluster.remove()
        throw error
    }
}
