import JSON
import OperatorAccess

/// The sector of a changed client.
extension ClientChange {
    private static let members = ["openid", "redirect_uris", "dialects"]

    /// Whether it may change the sector, or what the sector's document must list.
    var decidesSector: Bool { Self.members.contains { json[$0] != nil } }

    /// The address of the document that the changed client has; nil without one.
    ///
    /// - Parameter held: the current client; empty for a new one.
    func sectorDocument(held: JSONObject) -> String? {
        decidesSector ? settings(held).sectorIdentifierURI : nil
    }

    /// Refuses pairwise subjects without a sector, a sector whose document does not list the client, and the protocols of
    /// other vendors for an app that may not use the gateway's own API (``Client/usesOwnAPI``).
    func checkSector(held: JSONObject, in document: SectorDocument?) throws(AdminRefusal) {
        guard decidesSector else { return }
        let (settings, dialects) = (settings(held), member("dialects", held)?.object?.members ?? [])
        let closed = settings.isThirdParty ? "third_party" : settings.subjectType == .pairwise ? "subject_type" : nil
        if let closed, !dialects.isEmpty {
            throw .invalidMember(pointer: "/openid/\(closed)", reason: "not_with_dialects")
        }
        let addresses = (member("redirect_uris", held)?.array ?? []).compactMap(\.string)
        do throws(SectorFault) {
            try Sector.check(settings, redirectURIs: addresses, in: document)
        } catch {
            throw error.refusal
        }
    }

    private func settings(_ held: JSONObject) -> OpenIDSettings {
        (try? OpenIDSettings(parsing: member("openid", held)?.object ?? [:])) ?? .standard
    }

    private func member(_ name: String, _ held: JSONObject) -> JSON? { json[name] ?? held[name] }
}

extension SectorFault {
    var refusal: AdminRefusal { .invalidMember(pointer: "/openid/sector_identifier_uri", reason: rawValue) }
}
