import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore
import Pages

/// The API reference that `make reference` builds, in development only.
///
/// A request reads its file anew, so a reload shows a new build.
struct WebReferenceDoor: FrontDoor {
    /// The folder, in the working folder.
    ///
    /// It needs no setting: `make run` starts the gateway in the checkout that has the reference.
    private static let folder = "var/reference"

    private static let page = "text/html; charset=utf-8"
    private static let script = "text/javascript; charset=utf-8"
    private static let (yaml, json) = ("openapi.yaml", "openapi.json")

    /// The types of the files by name; no other file of the machine can be named.
    private static let contentTypes = [
        "index.html": page, "sign-in.html": page, "account.html": page, "administration.html": page,
        "standards.html": page, "reports.html": page, "pages.html": page, "errors.html": page,
        "reference.css": "text/css; charset=utf-8", "reference.js": script, "search.js": script,
        yaml: "application/yaml", json: "application/json",
    ]

    func mount(on router: Router<GatewayContext>) {
        router.get("docs") { _, _ in Response.seeOther("/docs/index.html") }
        router.get("docs/{name}") { _, context in try Self.file(context.parameters.get("name") ?? "") }
        router.get(RouterPath(Self.yaml)) { _, _ in try Self.file(Self.yaml) }
        router.get(RouterPath(Self.json)) { _, _ in try Self.file(Self.json) }
    }

    private static func file(_ name: String) throws(Problem) -> Response {
        guard let type = contentTypes[name] else { throw .notFound }
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return notBuilt }
        var headers = Response.pageHeaders()
        headers[.contentType] = type
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static var notBuilt: Response {
        let text = "The API reference is not built: run 'make reference' in the checkout, and reload.\n"
        return Response(
            status: .notFound, headers: [.contentType: "text/plain; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
