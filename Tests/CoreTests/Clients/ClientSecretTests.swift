import Cryptography
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Clients

@Suite("Client secrets")
struct ClientSecretTests {
    private static let secret = "examplesecret0123456789abcdefghijk"

    @Test("either storage accepts the secret, and no other text", arguments: ClientSecret.Storage.allCases)
    func matches(kept: ClientSecret.Storage) throws {
        let box = SealedBox(try TestKeys.keys("k1"))
        let stored = StoredClientSecret(Self.secret, of: "app", kept: kept, box)
        #expect((stored.digest != nil) == (kept == .digest) && (stored.sealed != nil) == (kept == .sealed))
        let held = try #require(try stored.opened(for: "app", box))
        #expect(held.matches(Self.secret))
        for other in ["", String(Self.secret.dropLast()), Self.secret + " ", Self.secret.uppercased()] {
            #expect(!held.matches(other))
        }
        #expect(!"\(held)".contains(Self.secret))
    }

    /// HMACs over user name and client id, from an independent client of Amazon Cognito.
    static let codes = [
        ("alice@example.com", "4OILFXC1rfWeTbeuNnHGZU/sYVagVo2sKW0FajV+3lA="),
        ("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", "+Hy7JxxUUyDxLCBAyv5cGo+5RaeYnfyQ+wR1vKxFXn8="),
    ]

    @Test("a sealed secret verifies an HMAC over a message; a digest verifies none", arguments: codes)
    func code(user: String, code: String) throws {
        let message = Array((user + "1example23456789").utf8)
        let code = Array(try #require(Data(base64Encoded: code)))
        let sealed = ClientSecret.sealed(Secret(Self.secret))
        #expect(sealed.authenticates(message, by: code))
        #expect(!sealed.authenticates(message + [0], by: code))
        #expect(!sealed.authenticates(message, by: Array(code.dropLast())))
        #expect(!ClientSecret.sealed(Secret(Self.secret + "x")).authenticates(message, by: code))
        #expect(!ClientSecret.digest(SHA256.hash(Self.secret)).authenticates(message, by: code))
    }

    @Test("F3: a sealed secret of another client is not accepted")
    func otherClient() throws {
        let box = SealedBox(try TestKeys.keys("k1"))
        let stored = StoredClientSecret(Self.secret, of: "app", kept: .sealed, box)
        #expect(throws: SealedBoxError.notAuthentic) { try stored.opened(for: "application", box) }
    }

    /// Master keys of a server, and whether it can open a secret that was sealed under `k1`.
    static let rotations: [(names: [String], opens: Bool)] = [(["k1"], true), (["k2", "k1"], true), (["k2"], false)]

    @Test(
        "a sealed secret works while its master key is listed, and without it the client is refused",
        arguments: rotations)
    func rotation(names: [String], opens: Bool) async throws {
        try await withTestDatabase { database in
            let stored = StoredClientSecret(
                Self.secret, of: "app", kept: .sealed, SealedBox(try TestKeys.keys("k1")))
            try await database.pool.withTransaction { connection in
                try connection.execute(
                    """
                    insert into clients (id, name, type, secret_sealed) values ('app', 'App', 'confidential', \(stored.sealed))
                    """)
                try connection.execute("insert into clients (id, name) values ('plain', 'Plain')")
            }
            let keys = try MasterKeys(
                names.map { "\($0):" + Base64URL.encode(SHA256.hash($0)) }.joined(separator: ","))
            let clients = ClientRegistry(pool: database.pool, keys: keys, logger: .silent)
            try await clients.reload()
            let app = try #require(clients.client("app"))
            #expect(app.authenticates(secret: Self.secret) == opens)
            #expect(!app.authenticates(secret: ""))
            #expect(clients.client("plain")?.authenticates(secret: "") == false)
        }
    }

    @Test("the schema accepts one storage of a secret, and a confidential client has one")
    func schema() async throws {
        try await withTestDatabase { database in
            for (digest, sealed, type) in [
                ([1], [1], "public"), (nil, nil, "confidential"),
            ] as [([UInt8]?, [UInt8]?, String)] {
                let error = await #expect(throws: PostgresError.self) {
                    try await database.pool.withTransaction {
                        try $0.execute(
                            """
                            insert into clients (id, name, type, secret_digest, secret_sealed)
                            values ('app', 'App', \(type), \(digest), \(sealed))
                            """)
                    }
                }
                guard case .statement(.checkViolation, _, _)? = error else {
                    Issue.record("refused otherwise: \(String(describing: error))")
                    continue
                }
            }
        }
    }
}
