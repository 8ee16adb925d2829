import Foundation

/// Addresses of a brand: images and links on our pages.
enum BrandAddress {
    /// In bytes.
    private static let longest = 2_048

    /// Whether it is an https address with a host, or with `allowsMail` a mail address as `mailto:`.
    ///
    /// Only characters of a URL are allowed (RFC 3986 §2), and none that would end a source of a
    /// `Content-Security-Policy`: an image's address becomes one.
    static func isValid(_ text: String, allowsMail: Bool) -> Bool {
        guard text.utf8.count <= longest, text.utf8.allSatisfy(isAllowed), let url = URLComponents(string: text) else {
            return false
        }
        if allowsMail, url.scheme == "mailto" { return url.path.contains("@") }
        return url.scheme == "https" && url.host?.isEmpty == false && url.user == nil && url.password == nil
            && url.fragment == nil
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
