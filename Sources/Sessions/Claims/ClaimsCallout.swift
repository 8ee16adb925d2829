package import JSON
package import Outbound
package import Providers
import Synchronization

/// Calls claims services; each address has its own circuit breaker.
package final class ClaimsCallout: Sendable {
    private let transport: any HTTPTransport
    private let health: ProviderHealth
    private let upstreams = Mutex<[String: Upstream]>([:])

    /// The time limit of one call: Entra's maximum, so that a service fast enough for Entra is fast enough here.
    private static let timeout = Duration.seconds(2)
    private static let mostCalls = 2

    package init(transport: any HTTPTransport) {
        self.transport = transport
        health = ProviderHealth(provider: .claimsService)
    }

    /// - Throws: `unavailable` with a stable word for the log, for every failure of the service.
    package func claims(for event: TokenIssuanceEvent, at url: String, bearer: String) async throws(ProviderError)
        -> JSONObject
    {
        let upstream = upstream(of: url)
        let request = HTTPRequest(
            method: .post, url: url,
            headers: [
                ("Content-Type", "application/json"), ("Accept", "application/json"),
                ("Authorization", "Bearer \(bearer)"),
            ],
            body: event.json.bytes(), maximumBytes: TokenIssuanceAnswer.mostBody)
        let response = try await send(request, upstream)
        do {
            return try TokenIssuanceAnswer.claims(in: response)
        } catch {
            throw upstream.failure("claims_\(error.rawValue)")
        }
    }

    /// The service only reads, so a second call does no harm.
    private func send(_ request: HTTPRequest, _ upstream: Upstream) async throws(ProviderError) -> HTTPResponse {
        var calls = 1
        while true {
            do {
                return try await upstream.send(request, by: upstream.deadline())
            } catch {
                guard calls < Self.mostCalls, error.isWorthAnotherCall else { throw error }
                calls += 1
            }
        }
    }

    private func upstream(of url: String) -> Upstream {
        upstreams.withLock { upstreams in
            if let known = upstreams[url] { return known }
            let upstream = Upstream(transport: GuardedTransport(transport), health: health, timeout: Self.timeout)
            upstreams[url] = upstream
            return upstream
        }
    }
}

extension ProviderError {
    /// Whether another call may succeed: true when there was no answer or a temporary failure.
    fileprivate var isWorthAnotherCall: Bool {
        guard case .unavailable(let reason, _) = self else { return false }
        return ["upstream_timeout", "upstream_unavailable"].contains(reason)
    }
}

extension ProviderID {
    /// The name of claims services in metrics.
    fileprivate static let claimsService = ProviderID(known: "claims-service")
}
