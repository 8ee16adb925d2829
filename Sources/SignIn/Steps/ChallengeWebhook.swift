package import Cryptography
package import FoundationEssentials
package import JSON
package import Outbound
package import Providers

/// The operator's own service that asks users a custom question and judges the answers.
///
/// Calls are signed as ``WebhookSignature`` describes. The service never names an identity.
package struct ChallengeWebhook: Sendable {
    /// The user of a challenge, and the proofs before it.
    package struct Subject: Sendable, Equatable {
        package let flow: String
        package let account: String
        package let client: String
        /// The proofs of this sign-in, in the words of `amr`.
        package let proved: [String]
        /// The number of wrong answers to this challenge.
        package let failures: Int

        package init(flow: UUID, account: UUID, client: String, proved: [String], failures: Int) {
            (self.flow, self.account, self.client) = (flow.text, account.text, client)
            (self.proved, self.failures) = (proved, failures)
        }
    }

    /// A challenge: a public part for the user, and a private part that returns with the answer only.
    package struct Challenge: Codable, Sendable, Equatable {
        package let shown: JSONObject
        package let kept: JSONObject

        package init(shown: JSONObject, kept: JSONObject) {
            (self.shown, self.kept) = (shown, kept)
        }
    }

    private let upstream: Upstream
    private let url: String
    private let secret: Secret

    private static let mostBody = 16_384
    /// The limit of each part of a challenge, in bytes.
    private static let mostPart = 4_096

    package init(url: String, secret: Secret, transport: any HTTPTransport) {
        (self.url, self.secret) = (url, secret)
        upstream = Upstream(
            transport: transport, health: ProviderHealth(provider: .challengeWebhook), timeout: .seconds(3))
    }

    package func create(_ subject: Subject) async throws(ProviderError) -> Challenge {
        let answer = try await ask("challenge.create", subject, [:])
        guard let shown = Self.part(answer["public"]), let kept = Self.part(answer["private"]) else {
            throw upstream.failure("challenge_malformed")
        }
        return Challenge(shown: shown, kept: kept)
    }

    /// Whether the service accepts the answer; anything but a clear yes or no counts as no answer.
    package func verify(_ answer: String, to challenge: Challenge, _ subject: Subject) async throws(ProviderError)
        -> Bool
    {
        let told = try await ask(
            "challenge.verify", subject,
            ["answer": .string(answer), "public": .object(challenge.shown), "private": .object(challenge.kept)])
        guard let isRight = told["right"]?.bool else { throw upstream.failure("challenge_malformed") }
        return isRight
    }

    private func ask(
        _ event: String, _ subject: Subject, _ more: JSONObject
    ) async throws(ProviderError) -> JSONObject {
        var content = subject.json
        content["event"] = .string(event)
        for member in more.members { content[member.name] = member.value }
        let body = JSON.object(content).bytes()
        let request = HTTPRequest(
            method: .post, url: url,
            headers: [
                ("Content-Type", "application/json"), ("Accept", "application/json"),
                WebhookSignature.header(of: body, secret: secret, at: Date()),
            ],
            body: body, maximumBytes: Self.mostBody)
        let response = try await upstream.send(request, by: upstream.deadline())
        guard response.status == 200, let answer = Upstream.object(in: response, maximumBytes: Self.mostBody) else {
            throw upstream.failure("challenge_malformed")
        }
        return answer
    }

    /// An absent part counts as an empty one.
    private static func part(_ json: JSON?) -> JSONObject? {
        guard let json, !json.isNull else { return [:] }
        guard let object = json.object, json.bytes().count <= mostPart else { return nil }
        return object
    }
}

extension ChallengeWebhook.Subject {
    /// Attempts are 1-based; all earlier ones were wrong, since a right answer ends the challenge.
    fileprivate var json: JSONObject {
        [
            "flow": .string(flow), "account": .string(account), "client": .string(client),
            "proved": .array(proved.map(JSON.string)), "attempt": .integer(failures + 1),
            "previous": .array(Array(repeating: ["right": false], count: failures)),
        ]
    }
}

extension ProviderID {
    /// The name of the custom challenge webhook in metrics.
    fileprivate static let challengeWebhook = ProviderID(known: "challenge-webhook")
}
