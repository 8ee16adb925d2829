import Cryptography
import FoundationEssentials
import JSON

/// Facebook's description of an access token: its app, its user and its validity period.
struct FacebookTokenInfo: Sendable {
    struct Holder: Sendable {
        let userID: String
        let issuedAt: Date
    }

    let object: JSONObject

    /// The user of the token, if it is our app's, valid, and young enough to sign in.
    ///
    /// - Throws: `refused` with the first reason; an absent member counts as no.
    func holder(
        of configuration: FacebookProvider.Configuration, at now: Date, health: ProviderHealth
    ) throws(ProviderError) -> Holder {
        // An invalid token has no app.
        guard let app = object["app_id"]?.string else { throw .refused(.upstreamInvalidToken) }
        guard app.hasSameBytes(as: configuration.appID) else {
            health.note(.audienceMismatch)
            throw .refused(.audienceMismatch)
        }
        guard object["is_valid"] == .bool(true) else { throw .refused(.upstreamInvalidToken) }
        guard object["type"]?.string?.hasSameBytes(as: "USER") == true else { throw .refused(.wrongTokenType) }
        let userID = try Subject.decimal(object["user_id"])
        let seconds = Int(now.timeIntervalSince1970.rounded(.down))
        // 0 stands for a token without expiry.
        guard let end = object["expires_at"]?.integer, end >= 0 else { throw .refused(.claimType) }
        guard end == 0 || end > seconds else { throw .refused(.expired) }
        guard let issued = object["issued_at"]?.integer, issued > 0, issued <= seconds + 60 else {
            throw .refused(.issuedAtInvalid)
        }
        guard seconds - issued <= configuration.maximumAge else { throw .refused(.tooOld) }
        return Holder(userID: userID, issuedAt: Date(timeIntervalSince1970: TimeInterval(issued)))
    }
}
