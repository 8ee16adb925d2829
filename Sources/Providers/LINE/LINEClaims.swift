import Cryptography
import FoundationEssentials
import JSON

/// The claims that LINE read from an ID token, compared with the values of the redirect.
struct LINEClaims: Sendable {
    let object: JSONObject
    let channelID: String

    /// Allowed clock difference in seconds.
    private static let skew = 60

    /// The subject, if every claim is valid.
    ///
    /// - Throws: `refused` with the reason of the first invalid claim.
    func subject(nonce: String, maximumAge: Int, at now: Date) throws(ProviderError) -> String {
        guard text("iss")?.hasSameBytes(as: LINEProvider.issuer) == true else { throw .refused(.issuerNotAllowed) }
        guard text("aud")?.hasSameBytes(as: channelID) == true else { throw .refused(.audienceMismatch) }
        try checkTimes(maximumAge: maximumAge, now: Int(now.timeIntervalSince1970.rounded(.down)))
        guard let subject = text("sub"), (1...255).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !Subject.isPlaceholder(subject)
        else { throw .refused(.subjectInvalid) }
        guard object["nonce"] != nil else { throw .refused(.nonceAbsent) }
        guard let claimed = text("nonce"), ConstantTime.equal(Array(claimed.utf8), Array(nonce.utf8)) else {
            throw .refused(.nonceMismatch)
        }
        return subject
    }

    private func checkTimes(maximumAge: Int, now: Int) throws(ProviderError) {
        guard let end = object["exp"]?.integer, let begin = object["iat"]?.integer else { throw .refused(.claimType) }
        guard end > now - Self.skew else { throw .refused(.expired) }
        guard begin > 0, begin <= now + Self.skew else { throw .refused(.issuedAtInvalid) }
        guard now - begin <= maximumAge else { throw .refused(.tooOld) }
    }

    var issuedAt: Date? { date("iat") }

    /// The time of the user's last proof at LINE, if plausible.
    var authenticatedAt: Date? { date("auth_time") }

    private func date(_ claim: String) -> Date? {
        guard let seconds = object[claim]?.integer, (0...100_000_000_000).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    private func text(_ claim: String) -> String? { object[claim]?.string }
}
