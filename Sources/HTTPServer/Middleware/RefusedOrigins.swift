import HTTPTypes
import Hummingbird
import Logging
import Synchronization
import Vocabulary

/// Tells the administrator of pages whose origin no app has registered: their browsers hide every answer from them.
///
/// Each origin is logged once, and only so many, because any caller can name origins.
final class RefusedOrigins: Sendable {
    private static let most = 64

    private let publicURL: String
    private let logger: Logger
    private let logged = Mutex<Set<String>>([])

    init(publicURL: String, logger: Logger) {
        (self.publicURL, self.logger) = (publicURL, logger)
    }

    /// - Parameter origin: one that got no permission.
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
