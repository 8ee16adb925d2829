package import HTTPServer
import HTTPTypes
import Hummingbird
package import OperatorAccess

/// The refusals of operators' services as problem documents.
extension Problem {
    package init(_ refusal: AdminRefusal) {
        let entry = ErrorCatalogue[refusal.code]
        self.init(
            entry?.status ?? .internalServerError, code: refusal.code, title: entry?.title, detail: refusal.detail,
            retryAfter: refusal.retryAfter, errors: refusal.items, headers: refusal.challenge)
    }
}

extension AdminRefusal {
    /// In seconds.
    fileprivate var retryAfter: Int? {
        guard case .throttled(let seconds) = self else { return nil }
        return seconds
    }

    /// The challenge of RFC 6750 §3 for an access key that does not work.
    fileprivate var challenge: HTTPFields {
        switch self {
        case .accessKeyInvalid, .accessKeyExpired:
            [.wwwAuthenticate: "Bearer realm=\"login-gateway\", error=\"invalid_token\""]
        default: [:]
        }
    }

    fileprivate var detail: String? {
        guard case .undoBlocked(let parts) = self else { return nil }
        return "Changed since: \(parts.joined(separator: ", "))."
    }

    fileprivate var items: [Problem.Item] {
        switch self {
        case .invalidMember(let pointer, let reason, let accepted): [.invalid(pointer, reason, accepted: accepted)]
        case .undoBlocked(let parts):
            parts.map { .init(pointer: "", code: $0, detail: "was changed after what is to be undone") }
        default: []
        }
    }
}
