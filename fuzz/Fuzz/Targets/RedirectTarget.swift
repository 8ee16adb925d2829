import Clients
import Foundation
import Outbound
import Settings

/// An accepted address has one host for us and for Foundation, and covers no other host.
///
/// Reads a registered and a requested address, one a line.
enum RedirectTarget {
    static func read(_ input: [UInt8]) {
        let parts = Input(input, most: 2)
        endpoint(parts.text(1))
        guard let asked = RedirectURI(parts.text(1)) else { return }
        check(asked)
        let answer = asked.adding([("code", "a&b=c")])
        hold(answer.hasPrefix(asked.text) && URL(string: answer) != nil, "the answer goes to the address")
        guard let registered = RedirectURI(parts.text(0)), asked.isCovered(by: registered) else { return }
        let (one, other) = (URL(string: registered.text), URL(string: asked.text))
        hold(one?.scheme == other?.scheme && one?.host() == other?.host(), "a registered host covers itself alone")
        hold(one?.path() == other?.path() && one?.query() == other?.query(), "a registered path covers itself alone")
        hold(asked.kind != .https || one?.port == other?.port, "a registered port covers itself alone")
    }

    private static func check(_ address: RedirectURI) {
        hold(address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "an address is visible ASCII")
        let url = URLComponents(string: address.text)
        hold(url != nil && url?.fragment == nil && url?.user == nil, "Foundation reads the address")
        if let origin = address.origin {
            let host = url?.encodedHost ?? ""
            let port = url?.port.map { ":\($0)" } ?? ""
            hold(origin == "\(url?.scheme ?? "")://\(host)\(port)", "Foundation finds the same host")
            hold(address.kind == .https ? url?.scheme == "https" : url?.scheme == "http", "http is for loopback alone")
        } else {
            hold(url?.scheme != "http" && url?.scheme != "https", "an app's own scheme is no site")
            hold(!["javascript", "data", "file", "vbscript"].contains(url?.scheme), "no scheme runs a script")
        }
        hold(RedirectURI(address.text) == address, "an address is read alike")
    }

    private static func endpoint(_ text: String) {
        if let url = try? OutboundURL(text, allowsLocal: true) {
            let other = URLComponents(string: text)
            hold(other?.encodedHost?.lowercased() == url.host, "Foundation finds the host that is called")
            hold(other?.port == nil || other?.port == url.port, "Foundation finds the port that is called")
            hold(other?.user == nil && other?.fragment == nil, "nothing else is in a called address")
        }
        if let endpoint = EndpointURL(text) {
            hold(EndpointURL(endpoint.text)?.origin == endpoint.origin, "an endpoint is read alike")
            hold(URL(string: endpoint.origin) != nil, "an origin is an address")
        }
        if ClientDocument.isAddress(text) {
            hold(URL(string: text)?.scheme == "https", "a document is fetched by https")
        }
        _ = ClientDocument.clientID(of: text)
    }
}
