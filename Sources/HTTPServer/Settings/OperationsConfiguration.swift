package import Settings

/// The door for health and metrics, on a port of its own.
package struct OperationsConfiguration: Sendable, Equatable {
    /// `OPS_HOST`: the address to listen on.
    ///
    /// Text, default `127.0.0.1`, not secret.
    package let host: String
    /// `OPS_PORT`: the port; `nil` if the key is 0, which closes the door.
    ///
    /// Number, default 9090, not secret.
    package let port: Int?
}

extension OperationsConfiguration {
    package static let keys: [ConfigurationKey] = [.operationsHost, .operationsPort]

    package init(_ settings: inout SettingsReader) {
        host = settings.required(.operationsHost)
        let number = settings.number(.operationsPort, in: 0...65_535)
        port = number == 0 ? nil : number
    }
}

extension ConfigurationKey.Group {
    static let operations = Self("Operations", "health and metrics, kept off the internet; port 0 for none")
}

extension ConfigurationKey {
    static let operationsHost = ConfigurationKey(
        "OPS_HOST", .operations, default: "127.0.0.1", "The address for health and metrics; keep it off the internet.")
    package static let operationsPort = ConfigurationKey(
        "OPS_PORT", .operations, .number, default: "9090", "The port for health and metrics; 0 for none.")
}
