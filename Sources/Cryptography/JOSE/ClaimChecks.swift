import FoundationEssentials
import JSON

/// The checks of the claims, after the check of the signature.
struct ClaimChecks {
    private static let maximumAudiences = 10
    private static let plausibleTimes = 0.0...1e11

    let claims: JSONObject
    let rules: TokenRules
    let now: Date

    func verified(_ jwt: JWT, by algorithm: SignatureAlgorithm) throws(TokenRefusal) -> VerifiedClaims {
        // Security events and logout tokens use the same keys (RFC 8417 §2.2, RFC 8725 §3.12).
        guard claims["events"] == nil else { throw .wrongTokenType }
        let issuer = try issuer()
        let audiences = try audiences()
        try checkAuthorizedParty(audiences)
        let (issuedAt, expiresAt) = try times()
        let subject = try subject()
        guard rules.requiredClaims.allSatisfy({ claims[$0] != nil }) else { throw .claimType }
        return VerifiedClaims(
            claims: claims, issuer: issuer, subject: subject, audiences: audiences,
            issuedAt: Date(timeIntervalSince1970: issuedAt), expiresAt: Date(timeIntervalSince1970: expiresAt),
            algorithm: algorithm, signedDigest: jwt.signedDigest)
    }

    private func issuer() throws(TokenRefusal) -> String {
        guard let issuer = claims["iss"]?.string else { throw .issuerNotAllowed }
        let allowed =
            switch rules.issuer {
            case .oneOf(let issuers): issuers.contains { $0.hasSameBytes(as: issuer) }
            case .matching(let rule): rule(claims)
            }
        guard allowed else { throw .issuerNotAllowed }
        return issuer
    }

    /// One text or a short array of texts, all of them among our audiences.
    private func audiences() throws(TokenRefusal) -> [String] {
        let values = claims["aud"]?.array ?? [claims["aud"] ?? .null]
        let audiences = values.prefix(Self.maximumAudiences).compactMap(\.string)
        guard !audiences.isEmpty, audiences.count == values.count,
            audiences.allSatisfy({ isOneOf(rules.audiences, $0) })
        else { throw .audienceMismatch }
        return audiences
    }

    /// The client of the token (`azp`), which is required with several audiences.
    private func checkAuthorizedParty(_ audiences: [String]) throws(TokenRefusal) {
        guard let party = claims["azp"] else {
            guard audiences.count == 1 else { throw .authorizedPartyMismatch }
            return
        }
        guard let party = party.string, isOneOf(rules.audiences, party) || isOneOf(rules.authorizedParties, party)
        else {
            throw .authorizedPartyMismatch
        }
    }

    private func isOneOf(_ allowed: Set<String>, _ text: String) -> Bool {
        allowed.contains { $0.hasSameBytes(as: text) }
    }

    /// `iat` and `exp`, in seconds since 1970.
    private func times() throws(TokenRefusal) -> (issuedAt: Double, expiresAt: Double) {
        let now = now.timeIntervalSince1970
        let skew = Double(TokenRules.clockSkew)
        guard let expiresAt = try time("exp") else { throw .claimType }
        guard now < expiresAt + Double(rules.expirySkew) else { throw .expired }
        guard let issuedAt = try time("iat"), issuedAt <= now + skew, issuedAt < expiresAt else {
            throw .issuedAtInvalid
        }
        if let notBefore = try time("nbf"), notBefore > now + skew { throw .notYetValid }
        if let age = rules.maximumAge, now - issuedAt > Double(age) { throw .tooOld }
        if let lifetime = rules.maximumLifetime, expiresAt - issuedAt > Double(lifetime) { throw .lifetimeTooLong }
        return (issuedAt, expiresAt)
    }

    /// `nil` when absent; refused unless it is a plausible number.
    private func time(_ name: String) throws(TokenRefusal) -> Double? {
        guard let value = claims[name] else { return nil }
        guard let seconds = value.double, Self.plausibleTimes.contains(seconds) else { throw .claimType }
        return seconds
    }

    /// 1 to 255 printable ASCII characters (OpenID Connect Core §2), and not a script's text for "nothing".
    private func subject() throws(TokenRefusal) -> String {
        guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), subject != "undefined", subject != "null"
        else { throw .subjectInvalid }
        return subject
    }
}
