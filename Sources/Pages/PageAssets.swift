import Cryptography
import Foundation
package import HTTPServer

/// The style sheet, the scripts and the icon, compressed once and served under names that depend on their content.
package struct PageAssets: Sendable {
    package struct Asset: Sendable {
        package let body: StoredBody
        package let contentType: String

        package init(body: StoredBody, contentType: String) {
            (self.body, self.contentType) = (body, contentType)
        }
    }

    /// The path prefix of assets.
    static let path = "/assets/"

    /// The style sheet that the brands add to.
    private static let pages = "pages.css"

    private static let contentTypes = [
        pages: "text/css; charset=utf-8", "console.css": "text/css; charset=utf-8",
        "console.js": "text/javascript; charset=utf-8",
        "forms.js": "text/javascript; charset=utf-8",
        "repost.js": "text/javascript; charset=utf-8",
        "passkey.js": "text/javascript; charset=utf-8",
        "live.js": "text/javascript; charset=utf-8",
        "times.js": "text/javascript; charset=utf-8",
        "mark.svg": "image/svg+xml",
    ]

    private let assets: [String: Asset]
    /// The icon for browsers that ask for `/favicon.ico` without reading a page.
    package let icon: Asset
    /// The URL of each asset, by its template name: `pages_css`.
    let addresses: [String: String]

    /// - Throws: ``PageResourceError`` with the file.
    init(folder: String) throws(PageResourceError) {
        var assets: [String: Asset] = [:]
        var addresses: [String: String] = [:]
        for (file, contentType) in Self.contentTypes {
            let bytes = try Self.bytes(file, in: folder) + (file == Self.pages ? Array(Brand.styleSheet.utf8) : [])
            let parts = file.split(separator: ".")
            let hash = Base64URL.encode(Array(SHA256.hash(bytes).prefix(9)))
            let name = "\(parts[0]).\(hash).\(parts[1])"
            assets[name] = Asset(body: StoredBody(bytes), contentType: contentType)
            addresses[parts.joined(separator: "_")] = Self.path + name
        }
        (self.assets, self.addresses) = (assets, addresses)
        icon = Asset(body: StoredBody(try Self.bytes("favicon.ico", in: folder)), contentType: "image/x-icon")
    }

    private static func bytes(_ file: String, in folder: String) throws(PageResourceError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(file)") else {
            throw .unreadable("Assets/\(file)")
        }
        return Array(data)
    }

    /// An asset by its name below ``path``; it never changes, so it may be cached forever.
    package func asset(_ name: String) -> Asset? { assets[name] }
}
