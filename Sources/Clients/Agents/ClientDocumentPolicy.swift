import Foundation

/// Which apps may describe themselves by a document.
package struct ClientDocumentPolicy: Sendable, Equatable {
    package enum Reach: String, Sendable, CaseIterable {
        case off, listed, any
    }

    package let reach: Reach
    /// Hosts, or whole addresses of documents.
    package let listed: [String]
    /// Whether documents may be on this computer, under development.
    package let allowsLocal: Bool

    package init(_ reach: Reach, listed: [String], allowsLocal: Bool) {
        (self.reach, self.listed, self.allowsLocal) = (reach, listed, allowsLocal)
    }

    package var isOn: Bool { reach != .off }

    /// Whether the operator lists the document or its host.
    package func lists(_ address: String) -> Bool {
        listed.contains(address) || listed.contains(URL(string: address)?.host() ?? "")
    }

    /// Whether a client id is the address of a document that may be fetched.
    package func admits(_ id: String) -> Bool {
        guard isOn, ClientDocument.isAddress(id, allowsLocal: allowsLocal) else { return false }
        return reach == .any || lists(id)
    }
}
