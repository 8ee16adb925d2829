package import JSON

/// The part of a custom challenge that the user sees, in the words of its author.
package struct ChallengePrompt: Sendable, Equatable {
    package let members: JSONObject

    package init(_ members: JSONObject) { self.members = members }

    /// Takes the parameters of a provider's challenge, sorted by name.
    package init(_ parameters: [String: String]) {
        members = JSONObject(
            parameters.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) })
    }
}
