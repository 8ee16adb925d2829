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
            retryAfter: refusal.retryAfter, errors: refusal.items)
    }
}

extension AdminRefusal {
    /// In seconds.
    fileprivate var retryAfter: Int? {
        guard case .throttled(let seconds) = self else { return nil }
        return seconds
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
