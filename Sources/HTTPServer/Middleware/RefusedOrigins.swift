import HTTPTypes
import Hummingbird
import Logging
import Synchronization
import Vocabulary

/// Logs the origins of pages that no app has registered: the browser hides every answer from such a page.
///
/// The log has each origin once, and a limited number of them, because any caller can send origins.
final class RefusedOrigins: Sendable {
    private static let most = 64

    private let publicURL: String
    private let logger: Logger
    private let logged = Mutex<Set<String>>([])

    init(publicURL: String, logger: Logger) {
        (self.publicURL, self.logger) = (publicURL, logger)
    }

    /// - Parameter origin: an origin without permission.
    func note(_ origin: String, of request: Request) {
        // Links and forms of other sites have an origin too, and need no permission.
        guard CrossOrigin.isPreflight(request) || request.headers.value(.secFetchMode) == "cors",
            origin != publicURL, origin != "null"
        else { return }
        let shown = SentText(origin).description
        let isNew = logged.withLock { $0.count < Self.most && $0.insert(shown).inserted }
        guard isNew else { return }
        logger.warning(
            "a page's origin is not registered",
            metadata: [
                "origin": "\(shown)",
                "remedy": "gateway clients change APP --add-origin \(shown), or \(publicURL)/admin/clients",
            ])
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchMode = known("Sec-Fetch-Mode")
}
