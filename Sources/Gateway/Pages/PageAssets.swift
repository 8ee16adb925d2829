import Cryptography
import Foundation

/// The style sheet, the scripts and the icon, served under names that change with their content.
struct PageAssets: Sendable {
    struct Asset: Sendable {
        let bytes: [UInt8]
        let contentType: String
    }

    /// The path below which they are served.
    static let path = "/assets/"

    /// The style sheet that the brands add to.
    private static let pages = "pages.css"

    private static let contentTypes = [
        pages: "text/css; charset=utf-8", "console.css": "text/css; charset=utf-8",
        "forms.js": "text/javascript; charset=utf-8",
        "repost.js": "text/javascript; charset=utf-8",
        "passkey.js": "text/javascript; charset=utf-8",
        "live.js": "text/javascript; charset=utf-8",
        "mark.svg": "image/svg+xml",
    ]

    private let assets: [String: Asset]
    /// Where each is to be had, by the name that templates use: `pages_css`.
    let addresses: [String: String]

    /// - Throws: ``PageResourceError``, which names the file.
    init(folder: String) throws(PageResourceError) {
        var assets: [String: Asset] = [:]
        var addresses: [String: String] = [:]
        for (file, contentType) in Self.contentTypes {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(file)") else {
                throw .unreadable("Assets/\(file)")
            }
            let bytes = Array(data) + (file == Self.pages ? Array(Brand.styleSheet.utf8) : [])
            let parts = file.split(separator: ".")
            let hash = Base64URL.encode(Array(SHA256.hash(bytes).prefix(9)))
            let name = "\(parts[0]).\(hash).\(parts[1])"
            assets[name] = Asset(bytes: bytes, contentType: contentType)
            addresses[parts.joined(separator: "_")] = Self.path + name
        }
        (self.assets, self.addresses) = (assets, addresses)
    }

    /// An asset by its name below ``path``; it never changes, so it may be kept for ever.
    func asset(_ name: String) -> (bytes: [UInt8], contentType: String)? {
        assets[name].map { ($0.bytes, $0.contentType) }
    }
}
