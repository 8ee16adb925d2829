import Foundation
import Vocabulary

/// The session of the access token that came with the first call of a sign-in.
///
/// It matters at the end, and for an unknown identity alone: a known identity always signs in to its own account.
enum AccompanyingSession: Sendable, Equatable {
    /// A live and fresh session of the same client: the identity may join its account.
    case session(UUID)
    /// A session that may not gain an identity: the sign-in is refused for this reason.
    case refused(Rejection)

    /// The refusals of an access token.
    private static let refusals: [Rejection] = [
        .tokenInvalid, .tokenExpired, .sessionEnded(), .audienceNotAllowed, .reauthRequired,
    ]

    /// Nil for a refusal that is not about the session.
    init?(refusal: Rejection) {
        // A flow keeps the error code alone.
        guard let refusal = Self.refusals.first(where: { $0.code == refusal.code }) else { return nil }
        self = .refused(refusal)
    }
}

extension AccompanyingSession: Codable {
    private enum CodingKeys: String, CodingKey {
        case session, refused
    }

    /// - Throws: `DecodingError` for a refusal that is not about the session.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let id = try container.decodeIfPresent(UUID.self, forKey: .session) {
            self = .session(id)
            return
        }
        let code = try container.decode(String.self, forKey: .refused)
        guard let refusal = Self.refusals.first(where: { $0.code == code }) else {
            throw DecodingError.dataCorruptedError(forKey: .refused, in: container, debugDescription: code)
        }
        self = .refused(refusal)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .session(let id): try container.encode(id, forKey: .session)
        case .refused(let rejection): try container.encode(rejection.code, forKey: .refused)
        }
    }
}
