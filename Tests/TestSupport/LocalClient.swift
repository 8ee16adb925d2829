package import Outbound

/// A client that may reach loopback, as in development.
///
/// Its default deadlines are longer, because tests share their cores. A test about deadlines sets its own.
package struct LocalClient: HTTPTransport {
    private let client: HTTPClient

    package init(maximumInFlight: Int = 256, caBundle: String? = nil) {
        client = HTTPClient(
            configuration: OutboundConfiguration(
                insecureAllowLocal: true, maximumInFlight: maximumInFlight, caBundle: caBundle))
    }

    package func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        var request = request
        if request.deadline == .seconds(5) {
            request.deadline = .seconds(60)
            request.connectDeadline = .seconds(60)
        }
        return try await client.send(request)
    }

    package func shutdown() async {
        await client.shutdown()
    }
}
