import Foundation
import JSON
import Postgres
import Testing

/// A token that must be refused, with the reason for the answer and the audit log.
struct TokenAttack: Sendable, CustomTestStringConvertible {
    let provider: String
    let name: String
    /// The order for the simulator's mint.
    let mint: JSONObject
    let code: String
    /// Claims in seconds from minting, because the table is made minutes before its use.
    private(set) var times: [String: Int] = [:]

    init(_ provider: String, _ name: String, _ code: String, _ mint: JSONObject) {
        (self.provider, self.name, self.code, self.mint) = (provider, name, code, mint)
    }

    /// A token that is valid except for some claims; null removes one.
    init(_ provider: String, _ name: String, _ code: String, claims: JSONObject) {
        self.init(provider, name, code, ["claims": .object(claims)])
    }

    /// A token that is valid except for times this far ahead of its minting.
    init(_ provider: String, _ name: String, _ code: String, times: [String: Int]) {
        self.init(provider, name, code, [:])
        self.times = times
    }

    /// A token that is valid except for some members of its header.
    init(_ provider: String, _ name: String, _ code: String, header: JSONObject) {
        self.init(provider, name, code, ["header": .object(header)])
    }

    var testDescription: String { "\(provider): \(name)" }

    /// All providers with signed tokens.
    static let signed = ["apple", "microsoft", "cognito", "google", "acme"]

    /// The text for strangers, the same for every reason.
    static let title = "The credential was not accepted"
}

extension GatewayProcess {
    /// Mints and posts the token, and expects the refusal, its audit row, and no other effect.
    func expectRefusal(of attack: TokenAttack, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let subject = Fresh.subject(attack.provider)
        var members = attack.mint
        members["subject"] = members["subject"] ?? .string(subject)
        if !attack.times.isEmpty { members["claims"] = .object(Self.claims(attack.times)) }
        let minted = try await simulator.mint(attack.provider, members)
        let answer = try await signIn(minted)
        try await expectRefusal(answer, 401, attack.code, provider: attack.provider, sourceLocation: sourceLocation)
        #expect(answer.json["title"]?.string == TokenAttack.title, sourceLocation: sourceLocation)
        #expect(!answer.text.contains(minted.token), sourceLocation: sourceLocation)
        try await expectNobody(attack.provider, subject, sourceLocation: sourceLocation)
    }

    private static func claims(_ times: [String: Int]) -> JSONObject {
        let now = Int(Date().timeIntervalSince1970)
        return times.reduce(into: JSONObject()) { $0[$1.key] = .integer(now + $1.value) }
    }

    /// Expects that no identity of that subject is stored.
    func expectNobody(_ provider: String, _ subject: String, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        let stored = try await count(
            "select count(*) from identities where provider = \(provider) and subject = \(subject)")
        #expect(stored == 0, "somebody was stored", sourceLocation: sourceLocation)
    }
}
