package import JSON

/// The part of a custom challenge that the person sees, in the words of its author.
package struct ChallengePrompt: Sendable, Equatable {
    package let members: JSONObject

    package init(_ members: JSONObject) { self.members = members }

    /// The parameters of a provider's challenge, in the order of their names.
    package init(_ parameters: [String: String]) {
        members = JSONObject(
            parameters.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) })
    }
}

extension ChallengeWebhook.Challenge {
    package var prompt: ChallengePrompt { ChallengePrompt(shown) }
}
