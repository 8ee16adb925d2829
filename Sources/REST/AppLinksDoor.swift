package import HTTPServer
package import Hummingbird
import JSON

/// The files that connect this domain with its apps for Apple's and Google's systems.
///
/// Without them an app can neither use the domain's passkeys nor open its links.
package struct AppLinksDoor: FrontDoor {
    /// The published identity of an Android app.
    package struct AndroidApp: Sendable {
        let package: String
        /// The certificate's SHA-256 fingerprint as `AB:CD:…`.
        let fingerprint: String

        package init(package: String, fingerprint: String) {
            (self.package, self.fingerprint) = (package, fingerprint)
        }
    }

    private let appleApps: [String]
    private let androidApps: [AndroidApp]

    package init(appleApps: [String], androidApps: [AndroidApp]) {
        (self.appleApps, self.androidApps) = (appleApps, androidApps)
    }

    /// Mounts each path only if the configuration has content for it.
    package func mount(on router: Router<GatewayContext>) {
        if !appleApps.isEmpty { router.get(".well-known/apple-app-site-association", use: apple) }
        if !androidApps.isEmpty { router.get(".well-known/assetlinks.json", use: android) }
    }

    @Sendable private func apple(_ request: Request, _ context: GatewayContext) -> Response {
        let apps = JSON.array(appleApps.map(JSON.string))
        return .json(["webcredentials": ["apps": apps]], headers: [.cacheControl: "public, max-age=3600"])
    }

    @Sendable private func android(_ request: Request, _ context: GatewayContext) -> Response {
        let statements = androidApps.map { app -> JSON in
            [
                "relation": ["delegate_permission/common.get_login_creds"],
                "target": [
                    "namespace": "android_app", "package_name": .string(app.package),
                    "sha256_cert_fingerprints": [.string(app.fingerprint)],
                ],
            ]
        }
        return .json(.array(statements), headers: [.cacheControl: "public, max-age=3600"])
    }
}
