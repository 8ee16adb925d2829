package import Clients
package import HTTPServer
import HTTPTypes
package import Hummingbird
import JSON
import NIOCore

/// The files that connect this domain with its apps for the systems of phones, and with other domains for browsers.
///
/// Without them an app can neither use the domain's passkeys nor open its links. One more file lets `gateway attack`
/// in.
package struct AppLinksDoor: FrontDoor {
    private let appleApps: [String]
    private let androidApps: [AndroidApp]
    private let relatedOrigins: [String]
    private let attackChallenge: String?
    private let clients: ClientRegistry

    /// - Parameters:
    ///   - appleApps: those with the domain's passkeys.
    ///   - androidApps: likewise.
    ///   - relatedOrigins: the websites of other domains with these passkeys.
    ///   - attackChallenge: the proof that `gateway attack` asks for.
    ///   - clients: those with apps that open links.
    package init(
        appleApps: [String], androidApps: [AndroidApp], relatedOrigins: [String], attackChallenge: String?,
        clients: ClientRegistry
    ) {
        (self.appleApps, self.androidApps) = (appleApps, androidApps)
        (self.relatedOrigins, self.attackChallenge, self.clients) = (relatedOrigins, attackChallenge, clients)
    }

    package func mount(on router: Router<GatewayContext>) {
        router.get(".well-known/apple-app-site-association", use: apple)
        router.get(".well-known/assetlinks.json", use: android)
        router.get(".well-known/webauthn", use: webauthn)
        router.get(".well-known/login-gateway-attack", use: attack)
    }

    /// Apple's file: `webcredentials` for passkeys, `applinks` for links.
    @Sendable private func apple(_ request: Request, _ context: GatewayContext) throws -> Response {
        var file: JSONObject = [:]
        if !appleApps.isEmpty { file["webcredentials"] = ["apps": .array(appleApps.map(JSON.string))] }
        let details = clients.linked.filter { !$0.openID.appleApps.isEmpty }.map(Self.detail)
        if !details.isEmpty { file["applinks"] = ["details": .array(details)] }
        return try Self.answer(.object(file), isEmpty: file.members.isEmpty)
    }

    private static func detail(_ client: Client) -> JSON {
        [
            "appIDs": .array(client.openID.appleApps.map(JSON.string)),
            "components": [["/": .string(client.linkPath)]],
        ]
    }

    /// Google's file (Digital Asset Links).
    @Sendable private func android(_ request: Request, _ context: GatewayContext) throws -> Response {
        let linked = clients.linked.flatMap(\.openID.androidApps)
        let statements =
            androidApps.map { Self.statement($0, "delegate_permission/common.get_login_creds") }
            + linked.map { Self.statement($0, "delegate_permission/common.handle_all_urls") }
        return try Self.answer(.array(statements), isEmpty: statements.isEmpty)
    }

    private static func statement(_ app: AndroidApp, _ relation: String) -> JSON {
        [
            "relation": [.string(relation)],
            "target": [
                "namespace": "android_app", "package_name": .string(app.package),
                "sha256_cert_fingerprints": [.string(app.fingerprintText)],
            ],
        ]
    }

    /// The related origins of the passkeys' domain (WebAuthn §5.11.1).
    @Sendable private func webauthn(_ request: Request, _ context: GatewayContext) throws -> Response {
        try Self.answer(
            ["origins": .array(relatedOrigins.map(JSON.string))], isEmpty: relatedOrigins.isEmpty)
    }

    /// The owner's permission to attack this deployment from elsewhere.
    @Sendable private func attack(_ request: Request, _ context: GatewayContext) throws -> Response {
        guard let attackChallenge else { throw Problem.notFound }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: .init(byteBuffer: .init(string: attackChallenge)))
    }

    private static func answer(_ file: JSON, isEmpty: Bool) throws(Problem) -> Response {
        guard !isEmpty else { throw .notFound }
        return .json(file, headers: [.cacheControl: "public, max-age=3600"])
    }
}
