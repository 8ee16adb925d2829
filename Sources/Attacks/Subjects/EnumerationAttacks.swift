import Cryptography
import JSON

/// Answers that tell whether an address has an account.
extension Attack {
    static let enumeration = [
        Attack("P-01", .enumeration, "a wrong password for a known and an unknown address") { target in
            try await target.expectSame { .wrongPassword($0, $1) }
        },
        Attack("P-01", .enumeration, "a reset for a known and an unknown address") { target in
            try await target.expectSame { app, email in
                .json("/v1/password/forgot", ["client_id": .string(app), "username": .string(email)])
            }
        },
        Attack("P-01", .enumeration, "a sign-up with a known and an unknown address") { target in
            try await target.expectSame { app, email in
                .json(
                    "/v1/sign-up",
                    [
                        "client_id": .string(app), "username": .string(email),
                        "password": .string(Base64URL.encode(RandomBytes.system(18))),
                    ])
            }
        },
        Attack("P-01", .enumeration, "the time of a wrong password for a known and an unknown address") { target in
            guard try await target.differsInTime() else { return }
            // A busy server may look like that once.
            if try await target.differsInTime() { throw Broken("the time tells whether an address has an account") }
        },
    ]
}

extension AttackRequest {
    static func wrongPassword(_ app: String, _ email: String) -> AttackRequest {
        .json(
            "/v1/sign-in",
            [
                "provider": "password", "client_id": .string(app),
                "credential": [
                    "username": .string(email), "password": .string(Base64URL.encode(RandomBytes.system(18))),
                ],
            ])
    }
}

extension Target {
    /// An address that nobody has, and that no mail reaches (RFC 2606).
    static func unknownAddress() -> String {
        "x\(Base64URL.encode(RandomBytes.system(9)).lowercased().filter(\.isLetter))@gateway-attack.invalid"
    }

    /// Sends a request for the test account and for an unknown address, and compares the answers.
    fileprivate func expectSame(_ request: (_ app: String, _ email: String) -> AttackRequest) async throws {
        let (app, known) = (try app().id, try account().email)
        let first = request(app, known)
        let answers = [try await send(first), try await send(request(app, Self.unknownAddress()))]
        if answers[0].status != answers[1].status {
            throw Broken("\(first.shown) answers \(answers[0].status) if known, else \(answers[1].status)")
        }
        if answers[0].shape != answers[1].shape { throw Broken("\(first.shown) differs in its headers or body") }
    }

    /// Whether every attempt at one of the two addresses was slower than every one at the other, and clearly.
    fileprivate func differsInTime() async throws -> Bool {
        let (app, emails) = (try app().id, [try account().email, Self.unknownAddress()])
        var times = [[Duration]](repeating: [], count: 2)
        for index in (0..<8).map({ $0 % 2 }) {
            times[index].append(try await send(.wrongPassword(app, emails[index])).duration)
        }
        return Self.isClearlySlower(times[0], times[1]) || Self.isClearlySlower(times[1], times[0])
    }

    private static func isClearlySlower(_ slow: [Duration], _ fast: [Duration]) -> Bool {
        guard let least = slow.min(), let most = fast.max() else { return false }
        return least > most + .milliseconds(15) && least > most * 2
    }
}

extension AttackAnswer {
    /// What must not depend on the address: the names of the headers, and the body but for values that always differ.
    fileprivate var shape: [String] {
        let members = (json.object?.members ?? []).map { Self.shape($0.name, $0.value) }
        return headers.map { $0.name.lowercased() }.sorted() + members
    }

    private static func shape(_ name: String, _ value: JSON) -> String {
        if ["flow", "request_id", "destination"].contains(name) { return name }
        guard let members = value.object?.members else { return "\(name)=\(value.text)" }
        return name + "{" + members.map { shape($0.name, $0.value) }.joined(separator: ",") + "}"
    }
}
