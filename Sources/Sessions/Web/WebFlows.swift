package import Cryptography
import Foundation
import JSON
import Providers

/// Seals the state of a redirect, and binds it to the browser that began it.
///
/// The state is sealed, the cookie is a secret: neither is worth anything without the other. Nonce and verifier come
/// from the cookie's secret, so whoever reads the state at a provider or in a log can redeem nothing with it.
package struct WebFlows: Sendable {
    /// What only the browser holds, under a name of its own for each flow.
    package struct Cookie: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// A flow that has begun.
    struct Begun: Sendable {
        let state: String
        let cookie: Cookie
        let secrets: Secrets
    }

    /// What the provider is to prove that it saw.
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
    /// No state of ours is longer.
    private static let maximumLength = 6_144

    private let box: SealedBox
    private let random: RandomBytes

    package init(keys: MasterKeys, random: RandomBytes = .system) {
        box = SealedBox(keys, random: random)
        self.random = random
    }

    /// - Parameter make: gives the flow its content, from its id and the digest of its cookie.
    func begin(_ make: (_ id: String, _ binding: [UInt8]) -> WebFlow) -> Begun {
        let id = Base64URL.encode(random(6))
        let secret = random(32)
        let flow = make(id, SHA256.hash(secret))
        let sealed = box.seal(flow.json.bytes(), purpose: Self.purpose)
        return Begun(
            state: Base64URL.encode(sealed),
            cookie: Cookie(name: Self.cookiePrefix + id, value: Base64URL.encode(secret)), secrets: Secrets(secret))
    }

    /// What a state says; nil for whatever was never ours.
    ///
    /// The flow may be over.
    package func open(_ state: String) -> WebFlow? {
        guard state.utf8.count <= Self.maximumLength, let sealed = Base64URL.decode(state),
            let bytes = try? box.open(sealed, purpose: Self.purpose), let json = try? JSON(parsing: bytes)
        else { return nil }
        return WebFlow(json)
    }

    /// The name of the cookie that a flow's browser holds.
    package func cookieName(of flow: WebFlow) -> String { Self.cookiePrefix + flow.id }

    /// What the browser proves by its cookie; nil where it is another browser, or has dropped it.
    func secrets(of flow: WebFlow, cookie value: String?) -> Secrets? {
        guard let secret = value.flatMap({ Base64URL.decode($0) }), secret.count == 32,
            ConstantTime.equal(SHA256.hash(secret), flow.binding)
        else { return nil }
        return Secrets(secret)
    }

    /// What finishing a flow spends.
    func spending(_ flow: WebFlow) -> Spending { spending(flow, "web flow") }

    /// What a server spends, beside the flow, whose provider refused a code.
    ///
    /// Another server may have brought the same code at the same time, and it was taken there.
    func refusal(of code: String, in flow: WebFlow) -> Spending {
        spending(flow, "web flow refused \(Base64URL.encode(SHA256.hash(code)))")
    }

    /// What that other server spends in the flow's place, once.
    func spendingDespiteRefusal(_ flow: WebFlow) -> Spending { spending(flow, "web flow despite refusal") }

    private func spending(_ flow: WebFlow, _ what: String) -> Spending {
        Spending(
            kind: .state, digest: SHA256.hash(Array("\(what) \(flow.id) ".utf8) + flow.binding),
            end: .itsOwn(flow.expires))
    }
}
