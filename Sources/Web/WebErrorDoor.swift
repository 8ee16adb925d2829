import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Synchronization

/// The pages about the error codes, to which `type` of a problem leads (RFC 9457 section 3.1.1).
struct WebErrorDoor: FrontDoor, HostedPages {
    let site: Site
    private let bodies = StoredBodies()

    init(site: Site) {
        self.site = site
    }

    func mount(on router: Router<GatewayContext>) {
        router.get("errors", use: list)
        router.get("errors/{code}", use: error)
    }

    /// `GET /errors`: every code.
    @Sendable func list(_ request: Request, _ context: GatewayContext) -> Response {
        let page = ErrorListPage(entries: ErrorCatalogue.all.map(ErrorListPage.Entry.init))
        return response(page, named: "", request, context)
    }

    /// `GET /errors/{code}`: the meaning of a code and its remedy.
    @Sendable func error(_ request: Request, _ context: GatewayContext) throws -> Response {
        guard let entry = context.parameters.get("code").flatMap({ ErrorCatalogue[$0] }) else {
            guard let page = refusalPage(.notFound, request, context) else { throw Problem.notFound }
            return page
        }
        return response(ErrorPage(entry), named: entry.code, request, context)
    }

    /// The pages are for developers and exist in English only.
    ///
    /// They contain nothing of the request and no secret, so caches may keep them, and compression is safe.
    private func response(
        _ page: some Page, named name: String, _ request: Request, _ context: GatewayContext
    ) -> Response {
        let body = bodies.body(name) { renderer.render(page, .english, requestID: context.requestID) }
        guard let body else { return context.response(.internalError) }
        var headers = Response.pageHeaders()
        // Short, because a new version has other assets.
        headers[.cacheControl] = "public, max-age=300"
        return body.response(to: request, headers: headers)
    }
}

/// The compressed bodies of a limited number of pages, made on first use.
private final class StoredBodies: Sendable {
    private let kept = Mutex<[String: StoredBody]>([:])

    func body(_ name: String, make: () -> [UInt8]?) -> StoredBody? {
        if let body = kept.withLock({ $0[name] }) { return body }
        guard let body = make().map(StoredBody.init) else { return nil }
        kept.withLock { $0[name] = body }
        return body
    }
}
