import Hummingbird
import NIOCore
import NIOPosix
import Settings

extension GatewayServer {
    /// Binds each port once and releases it, before anything else starts.
    ///
    /// Otherwise a used port of the operations listener would stop a server that already accepts requests.
    ///
    /// - Throws: ``StartError`` for a port that can't be used.
    package static func requirePorts(
        _ server: ServerConfiguration, _ operations: OperationsConfiguration
    ) async throws {
        try await requirePort(server.port, server.host, .port)
        if let port = operations.port { try await requirePort(port, operations.host, .operationsPort) }
    }

    private static func requirePort(_ port: Int, _ host: String, _ setting: ConfigurationKey) async throws {
        try await StartError.naming(host, port, setting.name) {
            try await ServerBootstrap(group: EventLoopGroupProvider.singleton.eventLoopGroup)
                .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).get().close()
        }
    }
}
