import JSON
import Postgres
import Testing

@testable import Clients
@testable import OperatorAccess

@Suite("Attributes that apps share")
struct SharedAttributeTests {
    private static let cognito: JSON = ["cognito": ["pool_id": "eu-central-1_A", "client_id": "4ducks"]]
    private static let level: JSON = [["name": "level", "writable_by": "back_end", "shared": true]]

    private static func desk(_ people: People) async throws -> ClientDesk {
        let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: [])
        for (id, attributes) in [("ducks", level), ("geese", [])] as [(String, JSON)] {
            _ = try await desk.create(
                id, ClientChange(["providers": [], "attributes": attributes]), isConfidential: false,
                because: People.reason, by: People.commandLine)
        }
        return desk
    }

    private static func change(_ id: String, _ members: JSONObject, _ desk: ClientDesk) async throws {
        _ = try await desk.change(id, ClientChange(members), because: People.reason, by: People.commandLine)
    }

    @Test(
        "3-D7: an app shares an attribute only with the writer of the other apps",
        arguments: [
            (["name": "level", "writable_by": "both", "shared": true], true),
            (["name": "level", "writable_by": "user", "shared": true], true),
            (["name": "level", "shared": true], true),
            (["name": "level", "writable_by": "back_end", "shared": true], false),
            (["name": "level", "writable_by": "both"], false),
            (["name": "tier", "writable_by": "both", "shared": true], false),
        ] as [(JSON, Bool)])
    func writers(attribute: JSON, isRefused: Bool) async throws {
        try await withPeople { people in
            let desk = try await Self.desk(people)
            let refusal = AdminRefusal.invalidMember(pointer: "/attributes/1/writable_by", reason: "other_writer")
            let change: JSONObject = ["attributes": [["name": "plan"], attribute]]
            guard isRefused else { return try await Self.change("geese", change, desk) }
            await #expect(throws: refusal) { try await Self.change("geese", change, desk) }
            await #expect(throws: refusal) {
                _ = try await desk.create(
                    "swans", ClientChange(["providers": [], "attributes": change["attributes"] ?? .null]),
                    isConfidential: false, because: People.reason, by: People.commandLine)
            }
        }
    }

    @Test("3-D7: the writer that a dialect sets counts, and another setting of the app can still be changed")
    func defaults() async throws {
        try await withPeople { people in
            let desk = try await Self.desk(people)
            let refusal = AdminRefusal.invalidMember(pointer: "/attributes/0/writable_by", reason: "other_writer")
            let shared: JSON = [["name": "level", "shared": true]]
            try await Self.change("geese", ["attributes": shared, "dialects": Self.cognito], desk)
            await #expect(throws: refusal) { try await Self.change("geese", ["dialects": [:]], desk) }
            try await people.change("update clients set dialects = '{}' where id = 'geese'")
            try await Self.change("geese", ["name": "Geese"], desk)
        }
    }

    @Test("3-D7: a file changes the writer of every app that shares an attribute, or names the one that differs")
    func declared() async throws {
        try await withPeople { people in
            let desk = try await Self.desk(people)
            func apply(_ writers: [(String, String)]) async throws {
                let clients = writers.map { id, writer -> JSON in
                    let attribute: JSON = ["name": "level", "writable_by": .string(writer), "shared": true]
                    return ["id": .string(id), "providers": [], "attributes": [attribute]]
                }
                _ = try await desk.apply(
                    try ClientDeclaration.all(in: ["clients": .array(clients)]), disablesOthers: false,
                    keeping: "console", isDryRun: false, because: People.reason, by: People.commandLine)
            }
            try await apply([("ducks", "user"), ("geese", "user")])
            let error = await #expect(throws: ClientDesk.RefusedDeclaration.self) {
                try await apply([("ducks", "user"), ("geese", "both")])
            }
            #expect(
                error?.refusal
                    == .invalidMember(pointer: "/clients/0/attributes/0/writable_by", reason: "other_writer"))
        }
    }
}
