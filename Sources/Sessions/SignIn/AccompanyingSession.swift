import Cryptography
import Foundation
import JSON

/// The session whose access token came with the first call of a sign-in.
///
/// It matters at the end, and for an unknown identity alone: a known identity always signs in to its own account.
enum AccompanyingSession: Sendable, Equatable {
    /// A live and fresh session of the same client: the identity may join its account.
    case session(UUID)
    /// A session that may not gain an identity: the sign-in is refused for this reason.
    case refused(Rejection)

    /// The refusals of an access token.
    private static let refusals: [Rejection] = [
        .tokenInvalid, .tokenExpired, .sessionEnded, .audienceNotAllowed, .reauthRequired,
    ]

    /// Nil for a refusal that is not about the session.
    init?(refusal: Rejection) {
        // A flow keeps the error code, and both have the same.
        let refusal = refusal == .tokenMalformed ? .tokenInvalid : refusal
        guard Self.refusals.contains(refusal) else { return nil }
        self = .refused(refusal)
    }

    /// The stored form.
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
