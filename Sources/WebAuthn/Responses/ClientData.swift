import Cryptography
import JSON

/// The browser's report (WebAuthn §5.8.1); the authenticator signs its hash.
struct ClientData {
    enum Ceremony: String {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    private static let limits = JSONLimits(bytes: 8 * 1024, depth: 4, members: 64)

    let hash: [UInt8]
    private let type: String
    private let challenge: String
    private let origin: String
    private let isCrossOrigin: Bool
    private let topOrigin: String?
    private let tokenBinding: JSON?

    /// Unknown members are ignored: browsers add some so that servers don't compare whole texts.
    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard let members = Self.members(bytes), let type = members["type"]?.string,
            let challenge = members["challenge"]?.string, let origin = members["origin"]?.string
        else { throw .clientDataMalformed }
        hash = SHA256.hash(bytes)
        self.type = type
        self.challenge = challenge
        self.origin = origin
        isCrossOrigin = try Self.optional(members["crossOrigin"], \.bool) ?? false
        topOrigin = try Self.optional(members["topOrigin"], \.string)
        tokenBinding = members["tokenBinding"]
    }

    private static func members(_ bytes: [UInt8]) -> JSONObject? {
        do throws(JSONError) {
            return try JSON(parsing: bytes, limits: limits).object
        } catch {
            return nil
        }
    }

    private static func optional<Value>(
        _ member: JSON?, _ value: (JSON) -> Value?
    ) throws(WebAuthnError) -> Value? {
        guard let member else { return nil }
        guard let value = value(member) else { throw .clientDataMalformed }
        return value
    }

    /// The steps of WebAuthn §7.1 and §7.2 from the type to the top origin, in their order.
    func check(
        _ ceremony: Ceremony, challenge expected: Challenge, relyingParty: RelyingParty
    ) throws(WebAuthnError) {
        guard type.hasSameBytes(as: ceremony.rawValue) else { throw .clientDataTypeInvalid }
        guard expected.matches(challenge) else { throw .challengeMismatch }
        guard relyingParty.origins.contains(where: { $0.hasSameBytes(as: origin) }) else { throw .originMismatch }
        try checkEmbedding(relyingParty.crossOrigin)
        try checkTokenBinding()
    }

    private func checkEmbedding(_ policy: RelyingParty.CrossOrigin) throws(WebAuthnError) {
        guard isCrossOrigin || topOrigin != nil else { return }
        guard case .accepted(let accepted) = policy else { throw .crossOriginRefused }
        guard let topOrigin else { return }
        // A page with the same origin as all its ancestors has no top origin (§5.8.1).
        guard isCrossOrigin else { throw .clientDataMalformed }
        guard accepted.contains(where: { $0.hasSameBytes(as: topOrigin) }) else { throw .topOriginMismatch }
    }

    /// Level 2 binds the response to the TLS connection if both sides can; we can't, so the response must not claim it.
    private func checkTokenBinding() throws(WebAuthnError) {
        guard let tokenBinding else { return }
        guard let status = tokenBinding["status"]?.string else { throw .clientDataMalformed }
        guard ["supported", "not-supported"].contains(where: { $0.hasSameBytes(as: status) }) else {
            throw .tokenBindingUnsupported
        }
    }
}
