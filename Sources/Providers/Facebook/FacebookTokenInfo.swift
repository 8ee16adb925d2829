import Cryptography
import FoundationEssentials
import JSON

/// What Facebook says of an access token: for which app it is, whose it is, and from when to when it is good.
struct FacebookTokenInfo: Sendable {
    struct Holder: Sendable {
        let userID: String
        let issuedAt: Date
    }

    let object: JSONObject

    /// Whose token it is, if it is our app's, good, and young enough to sign in with.
    ///
    /// - Throws: `refused` with the first reason; what isn't said counts as no.
    func holder(
        of configuration: FacebookProvider.Configuration, at now: Date, health: ProviderHealth
    ) throws(ProviderError) -> Holder {
        // A token that means nothing has no app.
        guard let app = object["app_id"]?.string else { throw .refused(.upstreamInvalidToken) }
        guard app.hasSameBytes(as: configuration.appID) else {
            health.note(.audienceMismatch)
            throw .refused(.audienceMismatch)
        }
        guard object["is_valid"] == .bool(true) else { throw .refused(.upstreamInvalidToken) }
        guard object["type"]?.string?.hasSameBytes(as: "USER") == true else { throw .refused(.wrongTokenType) }
        guard let userID = object["user_id"]?.string, Subject.isDecimal(userID) else {
            throw .refused(.subjectInvalid)
        }
        let seconds = Int(now.timeIntervalSince1970.rounded(.down))
        // 0 stands for a token without an end.
        guard let end = object["expires_at"]?.integer, end >= 0 else { throw .refused(.claimType) }
        guard end == 0 || end > seconds else { throw .refused(.expired) }
        guard let issued = object["issued_at"]?.integer, issued > 0, issued <= seconds + 60 else {
            throw .refused(.issuedAtInvalid)
        }
        guard seconds - issued <= configuration.maximumAge else { throw .refused(.tooOld) }
        return Holder(userID: userID, issuedAt: Date(timeIntervalSince1970: TimeInterval(issued)))
    }
}
