import Hummingbird
package import Logging
import NIOCore

/// The simulator as a service: binds one port and answers until it is cancelled.
package struct SimulatorServer: Sendable {
    private let host: String
    private let port: Int
    private let logger: Logger

    /// Binds nothing before `run`.
    ///
    /// Port 0 takes any free port.
    package init(host: String = "127.0.0.1", port: Int = 0, logger: Logger) {
        self.host = host
        self.port = port
        self.logger = logger
    }

    /// Serves until the task is cancelled; `onReady` gets the base address, such as `http://127.0.0.1:8081`.
    ///
    /// Throws `BindingError` if the address is unavailable.
    package func run(onReady: @escaping @Sendable (String) async -> Void) async throws {
        let application = Application(
            responder: SimulatorResponder(state: try SimulatorState(), logger: logger),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), backlog: 1024),
            onServerRunning: { [host, port] channel in
                await onReady(address(host: host, port: channel.localAddress?.port ?? port))
            },
            logger: quiet(logger))
        do {
            try await application.run()
        } catch let error as IOError {
            throw BindingError(host: host, port: port, code: error.errnoCode)
        } catch is SocketAddressError.UnknownHost {
            throw BindingError(host: host, port: port, code: 0)
        } catch is CancellationError {
            return
        }
    }

    /// Hides the server's own log lines about its start, its stop and disconnected callers, which do not matter here.
    private func quiet(_ logger: Logger) -> Logger {
        var logger = logger
        logger.logLevel = .critical
        return logger
    }
}

private func address(host: String, port: Int) -> String {
    host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
}
