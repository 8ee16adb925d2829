import HTTPServer
import HTTPTypes

/// A cookie is the text between the marks, and none of two with one name.
///
/// Reads one `Cookie` field a line.
enum CookieTarget {
    static func read(_ input: [UInt8]) {
        var headers = HTTPFields()
        for line in Input(input).lines {
            headers.append(HTTPField(name: .cookie, value: String(decoding: line, as: UTF8.self)))
        }
        let cookies = RequestCookies(headers)
        let pairs = headers[values: .cookie].flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
            .map { Array($0.drop { $0 == UInt8(ascii: " ") }) }
        for name in cookies.names(withPrefix: "") + [CookieName.session, CookieName.form] {
            let start = Array(name.utf8) + [UInt8(ascii: "=")]
            let sent = pairs.filter { $0.starts(with: start) }
            let value = sent.count == 1 ? sent[0].dropFirst(start.count) : nil
            hold(cookies[name].map { Array($0.utf8) } == value.map { Array($0) }, "a cookie is found by its name alone")
        }
    }
}
