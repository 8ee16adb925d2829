import Clients
import JSON
import OperatorAccess
import Operators

/// The invalid fields of an app's form.
extension ConsoleDoor {
    /// Checks each member separately, so that one answer reports every mistake.
    ///
    /// - Parameters:
    ///   - members: the differences, by the names of the API.
    ///   - client: nil for a new one.
    func wrong(_ members: JSONObject, _ client: Facts?, _ visit: ConsoleVisit) async throws -> [ClientMistake] {
        let ofBrand = ClientBrand.checked(members["brand"]?.object ?? [:]).faults.map { fault in
            Self.mistake("/brand/\(fault.member)", fault.reason)
        }
        let ofOpenID = OpenIDSettings.faults(in: members["openid"]?.object ?? [:]).map { fault in
            Self.mistake("/openid\(fault.pointer)", fault.reason)
        }
        let ofDialects = ClientDialects.faults(in: members["dialects"]?.object ?? [:]).map { fault in
            Self.mistake("/dialects\(fault.pointer)", fault.reason)
        }
        // The type decides about the secret that a dialect needs.
        let together = members.parts(ofDialects.isEmpty ? ["type", "dialects"] : ["type"])
        let others = members.members.filter { !["brand", "type", "openid", "dialects"].contains($0.name) }
        let found =
            try await ofBrand + ofOpenID + ofDialects
            + (others.map { JSONObject([$0]) } + [together]).compactMap { mistake(in: $0, client) }
            + (ofDialects.isEmpty ? wrongDialects(members, client, visit) : [])
        return try await found + wrongSector(members, client) + wrongWriters(members, client, visit)
    }

    /// Finds early a sector that can't be used; faults of single members are found before.
    private func wrongSector(_ members: JSONObject, _ client: Facts?) async -> [ClientMistake] {
        guard let change = try? ClientChange(members.parts(["openid", "redirect_uris", "dialects"])) else { return [] }
        do throws(AdminRefusal) {
            try await services.clients.checkSector(of: change, held: client?.members ?? [:])
            return []
        } catch {
            guard case .invalidMember(let pointer, let reason, _) = error else { return [] }
            return [Self.mistake(pointer, reason)]
        }
    }

    /// Finds early a shared attribute that another app lets another side write.
    private func wrongWriters(
        _ members: JSONObject, _ client: Facts?, _ visit: ConsoleVisit
    ) async throws -> [ClientMistake] {
        guard members["attributes"] != nil || members["dialects"] != nil else { return [] }
        var own: JSONObject = [:]
        for name in ["attributes", "dialects"] { own[name] = members[name] ?? client?.members[name] }
        let others = try await services.clients.list(by: visit.actor).filter { $0["id"]?.string != client?.id }
        let index = ClientAttribute.disputed(in: .object(own), among: others)
        return index.map { [Self.mistake("/attributes/\($0)", "other_writer")] } ?? []
    }

    private func mistake(in members: JSONObject, _ client: Facts?) -> ClientMistake? {
        do throws(AdminRefusal) {
            try services.clients.check(ClientChange(members), held: client?.members ?? [:])
            return nil
        } catch {
            guard case .invalidMember(let pointer, let reason, _) = error else { return nil }
            return Self.mistake(pointer, reason)
        }
    }

    /// Finds early the faults of dialects that the database refuses.
    private func wrongDialects(
        _ members: JSONObject, _ client: Facts?, _ visit: ConsoleVisit
    ) async throws -> [ClientMistake] {
        guard let dialects = Self.dialects(members["dialects"]), dialects != .none else { return [] }
        let audiences = members["audiences"] ?? client?.members["audiences"]
        guard audiences?.array?.contains(.string(Audience.administration.rawValue)) != true else {
            return [Self.mistake("/dialects", "not_for_administration")]
        }
        let others = try await services.clients.list(by: visit.actor).filter { $0["id"]?.string != client?.id }
            .compactMap { Self.dialects($0["dialects"]) }
        return Self.identifiers.filter { _, id in
            id(dialects).map { own in others.contains { id($0) == own } } ?? false
        }.map { Self.mistake("/dialects/\($0.place)", "taken") }
    }

    /// The identifiers that no two apps may share, and their places in the dialects.
    private static let identifiers: [(place: String, id: @Sendable (ClientDialects) -> String?)] = [
        ("cognito/client_id", { $0.cognito?.clientID }),
        ("native_auth/application_id", { $0.nativeAuth?.applicationID }),
    ]

    private static func dialects(_ json: JSON?) -> ClientDialects? {
        json?.object.flatMap { try? ClientDialects(parsing: $0) }
    }

    private static func mistake(_ pointer: String, _ reason: String) -> ClientMistake {
        let parts = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let (member, inside) = (parts.first ?? "", parts.dropFirst())
        let (field, place): (String, ArraySlice<String>) =
            switch member {
            // Each member of these settings has a field, and so has each member of a dialect.
            case "claims", "brand", "openid": ("\(member)_\(inside.first ?? "")", inside.dropFirst())
            case "dialects": (inside.isEmpty ? member : inside.joined(separator: "_"), [])
            default: (member, inside)
            }
        return ClientMistake(
            field: field, line: place.first.flatMap(Int.init).map { $0 + 1 }, reason: reason,
            unknownProvider: reason == "unknown_provider" ? place.joined(separator: "/") : nil, pointer: pointer)
    }

    func wrongID(_ id: String, _ visit: ConsoleVisit) async throws -> [ClientMistake] {
        guard ClientID.isValid(id) else { return [ClientMistake(field: "id")] }
        do {
            _ = try await services.clients.client(id, by: visit.actor)
            return [ClientMistake(field: "id", reason: "taken")]
        } catch AdminRefusal.notFound {
            return []
        }
    }
}

extension JSONObject {
    fileprivate func parts(_ names: [String]) -> JSONObject {
        JSONObject(members.filter { names.contains($0.name) })
    }
}
