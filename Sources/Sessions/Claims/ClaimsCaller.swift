import Clients
import Cryptography
import Foundation
import JSON
import Providers
import Vocabulary

/// Authenticates this gateway to a claims service as Entra would, under a tenant of its own.
struct ClaimsCaller: Sendable {
    private let issuer: TokenIssuer
    private let tenant: String
    private let host: String

    /// The lifetime of a service token, in seconds.
    private static let life = 300

    init(issuer: TokenIssuer, tenant: String?) {
        self.issuer = issuer
        self.tenant = tenant ?? Self.identifier("tenant", issuer.issuer)
        host = URL(string: issuer.issuer)?.host ?? "localhost"
    }

    /// Signs the token that the service checks before it trusts a call.
    func token(for service: ClaimsPolicy.Service, at now: Date = Date()) throws(ProviderError) -> String {
        let seconds = Int(now.timeIntervalSince1970)
        let claims: JSON = [
            "iss": .string(issuer.issuer), "aud": .string(service.audience), "azp": .string(service.application),
            "appid": .string(service.application), "azpacr": "2", "sub": .string(service.application),
            "tid": .string(tenant), "ver": "2.0", "idtyp": "app",
            "roles": ["CustomAuthenticationExtension.Receive.Payload"],
            "iat": .integer(seconds), "nbf": .integer(seconds), "exp": .integer(seconds + Self.life),
        ]
        do {
            return try issuer.serviceToken(claims, at: now)
        } catch {
            throw .misconfigured(reason: "signing_key")
        }
    }

    func event(account: AccountSummary, client: Client, _ caller: Caller) -> TokenIssuanceEvent {
        TokenIssuanceEvent(
            tenant: tenant, listener: Self.identifier("listener", client.id),
            extension: Self.identifier("extension", client.id), correlation: caller.requestID, address: caller.address,
            language: caller.language,
            application: TokenIssuanceEvent.Application(
                id: Self.identifier("application", client.id), appID: client.id, name: client.name),
            user: TokenIssuanceEvent.User(
                id: account.id.text, displayName: account.displayName,
                mail: account.emailVerified ? account.email : nil, principalName: "\(account.id.text)@\(host)",
                createdAt: account.createdAt))
    }

    /// Makes a GUID that is the same on every server (RFC 9562 §5.8).
    private static func identifier(_ kind: String, _ name: String) -> String {
        var bytes = Array(SHA256.hash("\(kind) \(name)").prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(bytes: bytes).text
    }
}
