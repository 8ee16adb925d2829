import Cryptography
import Foundation
import JSON

/// The session beside a sign-in of several calls, as it was found at the first one.
///
/// It matters at the end alone, and for an identity that nobody has yet: a known one is whose it is, whatever stands
/// beside it.
enum SessionBeside: Sendable, Equatable {
    /// It was live, of the same app, and proved a short while before: what the identity may join.
    case session(UUID)
    /// It may gain nothing, and the identity is refused for this.
    case refused(Rejection)

    /// What can be wrong with a session that an access token stands for.
    private static let refusals: [Rejection] = [
        .tokenInvalid, .tokenExpired, .sessionEnded, .audienceNotAllowed, .reauthRequired,
    ]

    /// Nil for what is no fault of the session's.
    init?(refusal: Rejection) {
        // A flow keeps the code, which is one for both.
        let refusal = refusal == .tokenMalformed ? .tokenInvalid : refusal
        guard Self.refusals.contains(refusal) else { return nil }
        self = .refused(refusal)
    }

    /// The form in which a flow keeps it.
    var json: JSON {
        switch self {
        case .session(let id): ["session": .string(id.text)]
        case .refused(let rejection): ["refused": .string(rejection.code)]
        }
    }

    init?(_ json: JSON) {
        if let id = json["session"]?.string.flatMap(UUID.init(text:)) {
            self = .session(id)
        } else if let refusal = Self.refusals.first(where: { $0.code == json["refused"]?.string }) {
            self = .refused(refusal)
        } else {
            return nil
        }
    }
}
