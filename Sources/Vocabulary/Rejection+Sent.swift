import JSON

extension Rejection {
    /// The values of the request that the refusal repeats, as the detail of its row in the audit log; nil without any.
    ///
    /// The caller chooses these values. The query of an address may have a secret, so the row has no query.
    package var sentDetail: String? {
        let (name, sent): (String, String?) =
            switch self {
            case .clientUnknown(let sent): ("client_id", sent?.description)
            case .providerUnknown(let sent, _), .providerNotAllowed(let sent, _): ("provider", sent?.description)
            case .redirectNotAllowed(let sent, _): ("redirect_uri", sent?.withoutQuery)
            case .targetInvalid(let sent): ("resource", sent?.withoutQuery)
            case .scopeInvalid(let sent): ("scope", sent?.description)
            default: ("", nil)
            }
        guard let sent else { return nil }
        return JSON.object([name: .string(sent)]).text
    }

    /// - Throws: `scopeInvalid` with the scopes that are not among the possible ones.
    package static func requireScopes(_ wanted: Set<String>, among possible: Set<String>) throws(Rejection) {
        let others = wanted.subtracting(possible).sorted()
        guard others.isEmpty else { throw .scopeInvalid(SentText(others.joined(separator: " "))) }
    }
}
