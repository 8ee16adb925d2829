package import Cryptography
package import Foundation

/// What is waiting to be finished, and for which step a flow token is good.
package enum FlowKind: String, Sendable, CaseIterable {
    case linkAccount = "link_account"
    case signUp = "sign_up"
    /// A sign-in that takes more than one step.
    case signIn = "sign_in"
    /// A factor that a signed-in person adds.
    case factor
    /// A sign-in by a passkey that says who it is; it has no row.
    case passkey
    /// A sign-in that a provider leads.
    case provider
    /// An address or number that a signed-in person adds.
    case address
}

/// The text by which a client names an unfinished flow: `fl_`, the row's id and a MAC that binds it to its step and its
/// client, so that it can't be guessed and a proof for one step can't be replayed on another.
package struct FlowTokens: Sendable {
    private let keys: [[UInt8]]

    package init(keys: MasterKeys) {
        self.keys = keys.derivedAll("flow token")
    }

    package func text(_ flow: UUID, _ kind: FlowKind, client: String) -> String {
        let body = flow.bytes + Array(client.utf8)
        return "fl_" + Base64URL.encode(mac(body, kind, keys[0]) + body)
    }

    /// The row's id and the client; a token of another step, or nobody's, is an expired flow like any other.
    package func parse(_ text: String, _ kind: FlowKind) throws(Rejection) -> (flow: UUID, client: String) {
        guard text.utf8.count <= 160, text.hasPrefix("fl_"), let bytes = Base64URL.decode(text.dropFirst(3)),
            bytes.count > 32
        else { throw .flowExpired }
        let presented = Array(bytes[..<16])
        let body = Array(bytes[16...])
        guard keys.contains(where: { ConstantTime.equal(mac(body, kind, $0), presented) }) else { throw .flowExpired }
        return (UUID(bytes: body[..<16]), String(decoding: body[16...], as: UTF8.self))
    }

    /// Which step a token is for; nil for nobody's.
    package func kind(of text: String) -> FlowKind? {
        FlowKind.allCases.first { (try? parse(text, $0)) != nil }
    }

    private func mac(_ body: [UInt8], _ kind: FlowKind, _ key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(Array(kind.rawValue.utf8) + [0] + body, key: key).prefix(16))
    }
}
