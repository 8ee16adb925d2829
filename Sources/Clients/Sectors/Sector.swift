import Foundation

/// The sectors of pairwise subjects (OpenID Connect Core §8.1).
///
/// The apps of one sector know a user by the same subject, and no others do.
package enum Sector {
    /// The sector of a client; nil for one that knows account ids.
    ///
    /// A client with loopback addresses is a sector of its own, because every program of a computer shares that host.
    static func name(
        for settings: OpenIDSettings, of id: String, from origin: ClientOrigin, redirectURIs: [String]
    ) -> String? {
        guard settings.subjectType == .pairwise else { return nil }
        let document: String? = if case .document(let address, _) = origin { address } else { nil }
        let named = document ?? settings.sectorIdentifierURI
        let sites = sites(redirectURIs)
        return named.flatMap(host) ?? (sites.count == 1 ? sites.first ?? nil : nil) ?? "client:\(id)"
    }

    /// Checks that a client has one sector, and that its document lists it.
    ///
    /// - Parameter document: as it was read for these settings; nil without one.
    package static func check(
        _ settings: OpenIDSettings, redirectURIs: [String], in document: SectorDocument?
    ) throws(SectorFault) {
        guard let address = settings.sectorIdentifierURI else {
            guard settings.subjectType == .public || sites(redirectURIs).count < 2 else { throw .documentRequired }
            return
        }
        guard let document, document.address == address else { throw .unreachable }
        guard redirectURIs.allSatisfy(document.redirectURIs.contains) else { throw .addressMissing }
    }

    /// The hosts of the addresses; nil stands for the user's own computer or device.
    private static func sites(_ redirectURIs: [String]) -> Set<String?> {
        Set(redirectURIs.map { text in RedirectURI(text)?.isOnComputer == false ? host(text) : nil })
    }

    private static func host(_ address: String) -> String? { URL(string: address)?.host()?.lowercased() }
}

/// A client's sector that can't be used; the raw value is the reason for operators.
package enum SectorFault: String, Error {
    case documentRequired = "required_with_several_hosts"
    case unreachable
    case notAList = "no_list"
    case addressMissing = "lacks_a_redirect_address"

    /// The fault of an app's registration.
    package var ofMetadata: ClientMetadata.Fault {
        let reason =
            switch self {
            case .documentRequired: "required, because the redirect addresses have several hosts"
            case .unreachable: "the document can't be fetched"
            case .notAList: "the document is no JSON list of addresses"
            case .addressMissing: "the document lacks a redirect address"
            }
        return ClientMetadata.Fault(
            code: "invalid_client_metadata", description: "sector_identifier_uri: \(reason)")
    }
}

extension Client {
    /// The APIs that its back end serves, which know users by its sector.
    var resources: [ProtectedResource] {
        openID.resources.map { resource in
            var resource = resource
            resource.sector = sector
            return resource
        }
    }
}
