import Cryptography
import JSON
import Outbound

/// An issuer's metadata (OpenID Connect Discovery 1.0 §3), as far as the gateway uses it.
package struct IssuerMetadata: Sendable, Equatable {
    let issuer: String
    let keySetURL: String
    let tokenURL: String?
    let authorizationURL: String?
    let revocationURL: String?
    /// Whether every answer of the authorization endpoint names the issuer (RFC 9207 §3).
    let promisesIssuer: Bool
    /// Whether the token endpoint accepts the client's secret as a form field.
    ///
    /// Otherwise HTTP Basic is used, the default of OpenID Connect Discovery.
    let takesSecretInForm: Bool
    /// The issuer's announced algorithms, which may narrow the operator's list but never widen it.
    let algorithms: Set<SignatureAlgorithm>?

    /// Reads a discovery document.
    ///
    /// - Parameters:
    ///   - issuers: the equivalent spellings of the configured issuer. The document's own must equal one of them byte
    ///     for byte (Discovery §4.3).
    ///   - origin: the operator's replacement address; addresses below it need not be https.
    /// - Returns: nil when the document is not trustworthy.
    init?(parsing bytes: [UInt8], issuers: [String], origin: String?) {
        guard let document = try? JSON(parsing: bytes, limits: .provider) else { return nil }
        guard let named = document["issuer"]?.string, issuers.contains(where: { $0.hasSameBytes(as: named) }) else {
            return nil
        }
        guard let keys = document["jwks_uri"]?.string, Self.isCallable(keys, origin: origin) else { return nil }
        let others = [
            document["token_endpoint"], document["authorization_endpoint"], document["revocation_endpoint"],
        ]
        guard others.allSatisfy({ $0.map { Self.isCallable($0.string, origin: origin) } ?? true }) else { return nil }
        tokenURL = others[0]?.string
        authorizationURL = others[1]?.string
        revocationURL = others[2]?.string
        promisesIssuer = document["authorization_response_iss_parameter_supported"] == .bool(true)
        issuer = named
        keySetURL = keys
        takesSecretInForm = Self.strings(document["token_endpoint_auth_methods_supported"])
            .contains("client_secret_post")
        let announced = Self.strings(document["id_token_signing_alg_values_supported"])
        algorithms = announced.isEmpty ? nil : Set(announced.compactMap(SignatureAlgorithm.init(rawValue:)))
    }

    /// Whether a newer document keeps every endpoint on its host.
    ///
    /// An endpoint may disappear, and one may be added on a host that this document already trusts.
    func staysPut(comparedWith newer: IssuerMetadata) -> Bool {
        let (before, after) = (hosts, newer.hosts)
        return issuer.hasSameBytes(as: newer.issuer)
            && zip(before, after).allSatisfy { old, new in
                new == nil || (old == nil ? before.contains(new) : old == new)
            }
    }

    /// The host of each endpoint, always in this order; nil for an absent one.
    private var hosts: [String?] {
        [keySetURL, tokenURL, authorizationURL, revocationURL].map { $0.flatMap(Self.host) }
    }

    private static func strings(_ value: JSON?) -> [String] {
        value?.array?.compactMap(\.string) ?? []
    }

    /// Accepts an absolute https address, or one below the operator's `origin`, which the configuration check approved.
    private static func isCallable(_ address: String?, origin: String?) -> Bool {
        guard let address else { return false }
        let isOwn = origin.map { address.hasPrefix($0 + "/") } ?? false
        return (try? OutboundURL(address, allowsLocal: isOwn)) != nil
    }

    /// Host and port; nil for an address that cannot be called.
    private static func host(of address: String) -> String? {
        (try? OutboundURL(address, allowsLocal: true)).map { "\($0.host):\($0.port)" }
    }
}
