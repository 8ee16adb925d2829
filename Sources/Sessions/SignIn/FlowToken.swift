package import Cryptography
package import Foundation

/// The kind of a flow, which its token is bound to.
package enum FlowKind: String, Sendable, CaseIterable {
    case linkAccount = "link_account"
    case signUp = "sign_up"
    /// A sign-in with several steps.
    case signIn = "sign_in"
    /// A factor that a signed-in user adds.
    case factor
    /// A sign-in with a passkey that names its account; it has no row.
    case passkey
    /// A sign-in that a provider leads.
    case provider
    /// An address or number that a signed-in user adds.
    case address
}

/// Flow tokens: `fl_`, the row's id, and a MAC that binds them to the kind and the client.
///
/// A token can't be guessed, and a token of one kind does not work for another.
package struct FlowTokens: Sendable {
    private let keys: [[UInt8]]

    package init(keys: MasterKeys) {
        self.keys = keys.derivedAll("flow token")
    }

    package func text(_ flow: UUID, _ kind: FlowKind, client: String) -> String {
        let body = flow.bytes + Array(client.utf8)
        return "fl_" + Base64URL.encode(mac(body, kind, keys[0]) + body)
    }

    /// The row's id and the client; a token of another kind, or a forged one, counts as an expired flow.
    package func parse(_ text: String, _ kind: FlowKind) throws(Rejection) -> (flow: UUID, client: String) {
        guard text.utf8.count <= 160, text.hasPrefix("fl_"), let bytes = Base64URL.decode(text.dropFirst(3)),
            bytes.count > 32
        else { throw .flowExpired }
        let presented = Array(bytes[..<16])
        let body = Array(bytes[16...])
        guard keys.contains(where: { ConstantTime.equal(mac(body, kind, $0), presented) }) else { throw .flowExpired }
        return (UUID(bytes: body[..<16]), String(decoding: body[16...], as: UTF8.self))
    }

    /// The kind of a token; nil for a forged one.
    package func kind(of text: String) -> FlowKind? {
        FlowKind.allCases.first { (try? parse(text, $0)) != nil }
    }

    private func mac(_ body: [UInt8], _ kind: FlowKind, _ key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(Array(kind.rawValue.utf8) + [0] + body, key: key).prefix(16))
    }
}
