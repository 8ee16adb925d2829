import Foundation
import JSON
import Postgres
import Testing

/// A token that must be refused, and the reason that the answer and the audit log must give.
struct TokenAttack: Sendable, CustomTestStringConvertible {
    let provider: String
    let name: String
    /// What is asked of the simulator's mint.
    let mint: JSONObject
    let code: String
    /// Claims in seconds from the moment of minting: the table is made when the run begins, minutes before it is used.
    private(set) var times: [String: Int] = [:]

    init(_ provider: String, _ name: String, _ code: String, _ mint: JSONObject) {
        (self.provider, self.name, self.code, self.mint) = (provider, name, code, mint)
    }

    /// A token that is right but for some claims; null removes one.
    init(_ provider: String, _ name: String, _ code: String, claims: JSONObject) {
        self.init(provider, name, code, ["claims": .object(claims)])
    }

    /// A token that is right but for times so many seconds ahead of its minting, or behind.
    init(_ provider: String, _ name: String, _ code: String, times: [String: Int]) {
        self.init(provider, name, code, [:])
        self.times = times
    }

    /// A token that is right but for some members of its header.
    init(_ provider: String, _ name: String, _ code: String, header: JSONObject) {
        self.init(provider, name, code, ["header": .object(header)])
    }

    var testDescription: String { "\(provider): \(name)" }

    /// All providers whose tokens are signed.
    static let signed = ["apple", "microsoft", "cognito", "google", "acme"]

    /// The words for strangers, the same for every reason.
    static let title = "The credential was not accepted"
}

extension GatewayProcess {
    /// Mints the token, posts it, and expects the refusal, its audit row, and that nothing came of it.
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
