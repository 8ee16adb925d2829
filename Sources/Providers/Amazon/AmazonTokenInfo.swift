import Cryptography
import FoundationEssentials
import JSON

/// Amazon's description of an access token: its user, its app and its lifetime.
struct AmazonTokenInfo: Sendable {
    struct Holder: Sendable {
        let userID: String
        let secondsLeft: Int
        let issuedAt: Date
    }

    let object: JSONObject

    /// The app that received the token from Amazon.
    var audience: String? { object["aud"]?.string }

    func isFor(_ clientIDs: [String]) -> Bool {
        Self.has(object["aud"], oneOf: clientIDs)
    }

    func isOf(_ applicationID: String) -> Bool {
        Self.has(object["app_id"], oneOf: [applicationID])
    }

    func isFrom(_ issuers: [String]) -> Bool {
        Self.has(object["iss"], oneOf: issuers)
    }

    /// 1 to 255 visible ASCII bytes; nil when Amazon's answer has no valid user id.
    var userID: String? {
        guard let id = object["user_id"]?.string, (1...255).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return id
    }

    /// The user of the token, if it is valid and young enough for a sign-in.
    ///
    /// `exp` is the number of seconds left: an hour at most, plus a minute of grace. A date in its place is refused.
    func holder(_ userID: String, maximumAge: Int, at now: Date) throws(ProviderError) -> Holder {
        guard !Subject.isPlaceholder(userID) else { throw .refused(.subjectInvalid) }
        guard let left = object["exp"]?.integer, left <= 3_660 else { throw .refused(.claimType) }
        guard left > 0 else { throw .refused(.expired) }
        let seconds = Int(now.timeIntervalSince1970.rounded(.down))
        guard let issued = object["iat"]?.integer, issued > 0, issued <= seconds + 60 else {
            throw .refused(.issuedAtInvalid)
        }
        guard seconds - issued <= maximumAge else { throw .refused(.tooOld) }
        return Holder(
            userID: userID, secondsLeft: left, issuedAt: Date(timeIntervalSince1970: TimeInterval(issued)))
    }

    private static func has(_ value: JSON?, oneOf allowed: [String]) -> Bool {
        guard let text = value?.string else { return false }
        return allowed.contains { $0.hasSameBytes(as: text) }
    }
}
