import HTTPServer
import HTTPTypes
import Hummingbird
import Pages

/// Style sheets, scripts and images of the pages.
struct WebAssetDoor: FrontDoor {
    let assets: PageAssets

    func mount(on router: Router<GatewayContext>) {
        router.get("assets/{name}", use: asset)
        router.get("favicon.ico", use: icon)
    }

    /// `GET /assets/{name}`: style sheets, scripts and images, under names that change with the content.
    @Sendable func asset(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let name = context.parameters.get("name"), let asset = assets.asset(name) ?? Self.accent(name) else {
            throw Problem.notFound
        }
        return Self.response(asset, to: request, caching: "public, max-age=31536000, immutable")
    }

    /// The accent colours of an app.
    ///
    /// The name contains both colours, so the server stores no style sheets.
    private static func accent(_ name: String) -> PageAssets.Asset? {
        AccentStyle(fileName: name).map { style in
            PageAssets.Asset(body: StoredBody(Array(style.styleSheet.utf8)), contentType: "text/css; charset=utf-8")
        }
    }

    /// `GET /favicon.ico`: the icon under the name that browsers guess.
    @Sendable func icon(_ request: Request, _ context: GatewayContext) -> Response {
        Self.response(assets.icon, to: request, caching: "public, max-age=86400")
    }

    private static func response(_ asset: PageAssets.Asset, to request: Request, caching: String) -> Response {
        asset.body.response(
            to: request, headers: [.contentType: asset.contentType, .cacheControl: caching])
    }
}
