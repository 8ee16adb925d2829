import Foundation
import Outbound

/// Addresses of a brand: images and links on our pages.
enum BrandAddress {
    /// In bytes.
    private static let longest = 2_048

    /// Whether it is an https address of a real host, or with `allowsMail` a mail address as `mailto:`.
    ///
    /// Only characters of a URL are allowed (RFC 3986 §2), and none that would end a source of a
    /// `Content-Security-Policy`: an image's address becomes one. There, `*` as a host means every host.
    static func isValid(_ text: String, allowsMail: Bool) -> Bool {
        guard text.utf8.count <= longest, text.utf8.allSatisfy(isAllowed), let url = URLComponents(string: text) else {
            return false
        }
        if allowsMail, url.scheme == "mailto" { return url.path.contains("@") }
        return url.scheme == "https" && url.fragment == nil && (try? OutboundURL(text, allowsLocal: true)) != nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/?@!$&()*+=%[]#".utf8.contains(byte)
        }
    }
}
