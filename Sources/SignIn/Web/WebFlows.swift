package import Cryptography
import Foundation
import JSON
import Providers
import Vocabulary

/// Seals the state of a redirect, and binds it to the browser that began it.
///
/// The state is sealed and the cookie is a secret: each is useless without the other. Nonce and code verifier come from
/// the cookie's secret, so a state in a provider's log redeems nothing.
package struct WebFlows: Sendable {
    /// The browser's secret, in a cookie of its own for each flow.
    package struct Cookie: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// A new flow.
    struct Begun: Sendable {
        let state: String
        let cookie: Cookie
        let secrets: Secrets
    }

    /// The values that bind the provider's answer to the flow.
    struct Secrets: Sendable {
        let nonce: String
        let codeVerifier: String

        init(_ secret: [UInt8]) {
            nonce = Base64URL.encode(HMACSHA256.code(Array("nonce".utf8), key: secret))
            codeVerifier = Base64URL.encode(HMACSHA256.code(Array("code verifier".utf8), key: secret))
        }
    }

    private static let purpose = "web flow"
    package static let cookiePrefix = "__Host-flow-"
    /// The greatest length of a state, in bytes.
    private static let maximumLength = 6_144

    private let box: SealedBox

    package init(keys: MasterKeys) {
        box = SealedBox(keys)
    }

    /// - Parameter make: makes the flow from its id and the digest of its cookie.
    func begin(_ make: (_ id: String, _ binding: [UInt8]) -> WebFlow) -> Begun {
        let id = Base64URL.encode(RandomBytes.system(6))
        let secret = RandomBytes.system(32)
        let flow = make(id, SHA256.hash(secret))
        let sealed = box.seal(flow.json.bytes(), purpose: Self.purpose)
        return Begun(
            state: Base64URL.encode(sealed),
            cookie: Cookie(name: Self.cookiePrefix + id, value: Base64URL.encode(secret)), secrets: Secrets(secret))
    }

    /// Opens a state; nil for a forged one.
    ///
    /// The flow may have expired.
    package func open(_ state: String) -> WebFlow? {
        guard state.utf8.count <= Self.maximumLength, let sealed = Base64URL.decode(state),
            let bytes = try? box.open(sealed, purpose: Self.purpose), let json = try? JSON(parsing: bytes)
        else { return nil }
        return WebFlow(json)
    }

    /// The name of the flow's cookie.
    package func cookieName(of flow: WebFlow) -> String { Self.cookiePrefix + flow.id }

    /// The secrets from the browser's cookie; nil without the right cookie.
    func secrets(of flow: WebFlow, cookie value: String?) -> Secrets? {
        guard let secret = value.flatMap({ Base64URL.decode($0) }), secret.count == 32,
            ConstantTime.equal(SHA256.hash(secret), flow.binding)
        else { return nil }
        return Secrets(secret)
    }

    /// The spending of a finished flow.
    func spending(_ flow: WebFlow) -> Spending { spending(flow, "web flow") }

    /// The record of a code that the provider refused, spent together with the flow.
    ///
    /// Another server may have redeemed the same code at the same time.
    func refusal(of code: String, in flow: WebFlow) -> Spending {
        spending(flow, "web flow refused \(Base64URL.encode(SHA256.hash(code)))")
    }

    /// The spending of that other server in place of the flow.
    func spendingDespiteRefusal(_ flow: WebFlow) -> Spending { spending(flow, "web flow despite refusal") }

    private func spending(_ flow: WebFlow, _ what: String) -> Spending {
        Spending(
            kind: .state, digest: SHA256.hash(Array("\(what) \(flow.id) ".utf8) + flow.binding),
            end: .itsOwn(flow.expires))
    }
}
