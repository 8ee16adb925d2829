import Foundation
import JSON

@testable import Clients

/// An app's description of itself leads only to its own host or the user's computer, and is stored as it is read.
enum ClientDocumentTarget {
    private static let address = "https://app.example.com/client.json"

    static func read(_ input: [UInt8]) {
        if let document = try? ClientDocument(parsing: input, at: address, isTrusted: false) {
            hold(!document.redirectURIs.isEmpty, "a document has an address")
            hold(document.redirectURIs.allSatisfy(isNear), "an address is on the document's host")
            let again = try? ClientDocument(parsing: input, at: address, isTrusted: false)
            hold(again == document, "a document is read alike")
        }
        _ = try? SectorDocument(parsing: input, at: address)
        guard let object = (try? JSON(parsing: input))?.object else { return }
        if let metadata = try? ClientMetadata(object) {
            hold(metadata.redirectURIs.allSatisfy { RedirectURI($0) != nil }, "a registered address is safe")
            hold(metadata.method == .keys || !metadata.openID.hasKeys, "keys are for their method alone")
        }
        if let settings = try? OpenIDSettings(parsing: object) {
            hold(settings.json.object.flatMap { try? OpenIDSettings(parsing: $0) } == settings, "settings are stored")
        }
    }

    private static func isNear(_ text: String) -> Bool {
        guard let url = URLComponents(string: text), let host = url.encodedHost else { return false }
        if url.scheme == "http" { return ["localhost", "127.0.0.1", "[::1]"].contains(host) }
        return url.scheme == "https" && (host == "app.example.com" || host.hasSuffix(".app.example.com"))
    }
}
