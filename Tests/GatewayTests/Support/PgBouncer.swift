import Foundation
import TestSupport

/// PgBouncer in front of a deployment's database.
struct PgBouncer {
    private let child: ChildProcess
    private let folder: String
    /// The connection string through it.
    let url: String

    /// - Parameter mode: the `pool_mode`.
    static func start(_ deployment: Deployment, mode: String) async throws -> PgBouncer {
        let folder = try makeTemporaryFolder()
        let database = deployment.database
        let server = database.url.split(separator: " ").filter { part in
            ["host=", "port=", "user=", "password="].contains { part.hasPrefix($0) }
        }.joined(separator: " ")
        let port = Int.random(in: 20_000..<32_000)
        let settings = """
            [databases]
            \(database.name) = \(server)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = \(mode)
            """
        // It refuses to run as root. The tests' cluster then belongs to postgres.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        try Data(settings.utf8).write(to: URL(filePath: "\(folder)/pgbouncer.ini"))
        let user = getuid() == 0 ? ["--user", "postgres"] : []
        let path = "PATH=\(ProcessInfo.processInfo.environment["PATH"] ?? ""):/usr/sbin"
        let child = try ChildProcess("/usr/bin/env", [path, "pgbouncer"] + user + ["\(folder)/pgbouncer.ini"])
        try await poll { child.errors.contains("process up") || child.exitCode != nil ? () : nil }
        guard child.exitCode == nil else {
            throw HarnessError("PgBouncer is needed (Debian: pgbouncer): \(child.errors)")
        }
        return PgBouncer(
            child: child, folder: folder, url: "host=127.0.0.1 port=\(port) dbname=\(database.name) user=postgres")
    }

    func stop() async {
        await child.kill9()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
