import ArgumentParser
import Foundation
import Logging
import Synchronization

/// The command line: the listening address, one line on standard output when ready, and the rest on standard error.
@main
struct SimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider-simulator",
        abstract:
            "Plays providers on one port: \(ProviderName.all.map(\.rawValue).joined(separator: ", ")).",
        discussion: """
            For development and tests only: it hands a token for any person to anybody who asks. It prints one
            line, `listening on http://HOST:PORT`, when it is ready. docs/simulator.md describes every path.
            """)

    @Option(help: "The address to bind. Anything but a loopback address lets others mint tokens.")
    var host = "127.0.0.1"

    @Option(help: "The port to bind; 0 takes any free one.")
    var port = 8081

    @Option(help: "A folder that keeps RSA keys for the next start, which is faster with them.")
    var keys: String?

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be between 0 and 65535.") }
    }

    func run() async throws {
        let logger = Logger(label: "provider-simulator", factory: StreamLogHandler.standardError(label:))
        let server = SimulatorServer(host: host, port: port, logger: logger)
        let signals = StopSignals()
        defer { withExtendedLifetime(signals) {} }
        if let keys {
            let folder = try KeyFolder(path: keys)
            KeyFolder.current.withLock { $0 = folder }
        }
        do {
            try await server.run { address in announce(address) }
        } catch let error as BindingError {
            FileHandle.standardError.write(Data("provider-simulator: \(error)\n".utf8))
            throw ExitCode(1)
        }
    }

    private func announce(_ address: String) {
        FileHandle.standardOutput.write(Data("listening on \(address)\n".utf8))
    }
}
