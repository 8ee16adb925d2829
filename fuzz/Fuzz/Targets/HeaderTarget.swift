import HTTPTypes
import Settings
import Vocabulary

@testable import HTTPServer

/// The headers that our code reads itself.
///
/// Reads one a line; NIO has read the head of a real request.
enum HeaderTarget {
    private static let proxies = ["10.0.0.0/8", "fd00::/8"].compactMap(NetworkRange.init)

    static func read(_ input: [UInt8]) {
        var headers = HTTPFields()
        for (name, value) in Input(input).lines.compactMap(Input.header) {
            guard let name = HTTPField.Name(name) else { continue }
            headers.append(HTTPField(name: name, value: value))
        }
        for header in ForwardedHeader.allCases { visitor(headers, header) }
        credentials(headers)
        let id = RequestIDs.given(headers)
        hold(id.map { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } } ?? true, "a request id is visible ASCII")
        _ = Language.preferred(uiLocales: headers[.userAgent], acceptLanguage: headers[.acceptLanguage])
        for range in WeightedRange.all(in: headers[.acceptLanguage] ?? "") {
            hold((0...1000).contains(range.weight), "a weight is at most 1")
        }
        hold(ForwardedClient.reportedProtocols(headers).utf8.count <= 200, "the log line is bounded")
        _ = UserAgent.known(headers[.userAgent] ?? "")
        try? BodyMediaType.form.require(in: headers)
        try? BodyMediaType.json.require(in: headers)
    }

    private static func visitor(_ headers: HTTPFields, _ header: ForwardedHeader) {
        let client = ForwardedClient(proxies: proxies, header: header)
        let visitor = client.visitor(peer: "10.1.2.3", headers: headers)
        let address = NetworkAddress(visitor.address)
        hold(address != nil && !visitor.address.contains("%"), "the visitor has an address")
        hold(address.map { NetworkAddress($0.text) == $0 } ?? false, "an address has one spelling")
        hold(client.visitor(peer: "192.0.2.1", headers: headers).address == "192.0.2.1", "strangers report nothing")
    }

    private static func credentials(_ headers: HTTPFields) {
        for scheme in [AuthorizationScheme.basic, .bearer, .dpop] {
            guard let credentials = headers.credentials(scheme) else { continue }
            // Two headers are joined by a comma, which no token and no Base64 contains.
            // By bytes: a letter of ours and a stranger's mark may be one character.
            let sent = headers[.authorization] ?? ""
            hold(sent.utf8.reversed().starts(with: credentials.utf8.reversed()), "credentials are all that follows")
            hold(sent.lowercased().utf8.starts(with: "\(scheme.rawValue) ".utf8), "credentials follow their scheme")
        }
    }
}
