import HTTPServer
import Hummingbird
import OperatorAccess
import Telemetry

/// The slowest requests of this server.
extension ConsoleDoor {
    private static let requestsOfPage = 50

    /// `GET /admin/requests`.
    @Sendable func slowRequests(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showOverview, request, context) { visit in
            show(
                RequestsPage(
                    frame: frame(visit, .overview), server: requests.host,
                    requests: requests.slowest(Self.requestsOfPage), trace: requests.traceAddress),
                visit.call)
        }
    }
}
