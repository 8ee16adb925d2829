import Cryptography
import FoundationEssentials
import JSON
import Synchronization

/// Authorization codes: each is valid once, for five minutes, for one client, one redirect address and one verifier.
final class CodeStore<Payload: Sendable>: Sendable {
    struct Grant: Sendable {
        let clientID: String
        /// Nil if the authorization request had none, as with native requests.
        let redirectURI: String?
        /// The PKCE challenge (RFC 7636 §4.2, method S256); nil if none was sent.
        let challenge: String?
        let issuedAt: Date
        let payload: Payload
    }

    fileprivate struct State {
        var grants: [String: Grant] = [:]
        var spent: [String: Date] = [:]
    }

    private let state = Mutex(State())
    private let lifetime: TimeInterval = 300

    func add(_ grant: Grant, as code: String) {
        state.withLock { state in
            if state.grants.count + state.spent.count >= 100_000 { state.forget(before: grant.issuedAt - lifetime) }
            state.grants[code] = grant
        }
    }

    /// Binds a code to an order of the mint; the members are those of an app's credential.
    func add(_ code: String, of order: MintOrder, opening payload: Payload) -> JSONObject {
        let proof = ProofKey.of(order.challenge)
        let redirectURI = order.redirectURI ?? Defaults.redirectURI
        add(
            .init(
                clientID: order.clientID, redirectURI: redirectURI, challenge: proof.challenge, issuedAt: order.now,
                payload: payload),
            as: code)
        var credential: JSONObject = ["authorization_code": .string(code)]
        credential.add("code_verifier", proof.verifier)
        credential["redirect_uri"] = .string(redirectURI)
        return credential
    }

    /// Spends the code, even if the redirect address or the verifier is wrong; a foreign client does not.
    func redeem(
        _ code: String, clientID: String, redirectURI: String?, verifier: String?, at now: Date
    ) throws(CodeProblem) -> Grant {
        let grant = try state.withLock { state throws(CodeProblem) in
            guard let grant = state.grants[code] else { throw state.spent[code] == nil ? .unknown : .spent }
            guard grant.clientID.hasSameBytes(as: clientID) else { throw .foreignClient }
            state.grants[code] = nil
            state.spent[code] = grant.issuedAt
            return grant
        }
        guard now.timeIntervalSince(grant.issuedAt) < lifetime else { throw .expired }
        guard grant.redirectURI == redirectURI else { throw .redirectMismatch }
        guard grant.challenge == verifier.map({ Base64URL.encode(SHA256.hash($0)) }) else { throw .verifierMismatch }
        return grant
    }

    func removeAll() {
        state.withLock { $0 = State() }
    }
}

extension CodeStore.State {
    fileprivate mutating func forget(before limit: Date) {
        grants = grants.filter { $0.value.issuedAt > limit }
        spent = spent.filter { $0.value > limit }
    }
}

/// The reason why a code is refused.
enum CodeProblem: Error, Equatable, Sendable, CaseIterable {
    case unknown, spent, expired, foreignClient, redirectMismatch, verifierMismatch

    /// The text for the request log.
    var reason: String {
        switch self {
        case .unknown: "the code is unknown"
        case .spent: "the code has already been used"
        case .expired: "the code has expired"
        case .foreignClient: "the code was issued to another client"
        case .redirectMismatch: "redirect_uri is not that of the authorization request"
        case .verifierMismatch: "code_verifier does not fit the challenge, or only one of the two was sent"
        }
    }
}

/// PKCE of the simulated apps.
enum ProofKey {
    /// The challenge of a code, and the verifier if the simulator made it.
    static func of(_ challenge: MintOrder.Challenge) -> (challenge: String?, verifier: String?) {
        switch challenge {
        case .none: return (nil, nil)
        case .given(let text): return (text, nil)
        case .generated:
            let verifier = RandomText.base64URL(32)
            return (Base64URL.encode(SHA256.hash(verifier)), verifier)
        }
    }

    /// RFC 3986 §2.3.
    static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// RFC 7636 §4.1: 43 to 128 unreserved characters.
    static func isWellFormed(_ verifier: String) -> Bool {
        (43...128).contains(verifier.utf8.count) && verifier.allSatisfy(unreserved.contains)
    }
}

/// Random texts in the alphabets that codes and tokens use.
enum RandomText {
    static func base64URL(_ bytes: Int) -> String { Base64URL.encode(RandomBytes.system(bytes)) }
    static func hex(_ bytes: Int) -> String { Hex.encode(RandomBytes.system(bytes)) }
}
