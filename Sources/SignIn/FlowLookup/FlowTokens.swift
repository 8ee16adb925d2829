import Clients
import Cryptography
import Foundation
import Vocabulary

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

/// The content of a flow token.
struct FlowReference: Sendable, Equatable {
    /// The id of the flow's row.
    let id: UUID
    let kind: FlowKind
    /// The client's id.
    let client: String
    /// The revision of the flow that the token is good for; nil for each.
    let revision: Int?

    init(_ id: UUID, _ kind: FlowKind, client: String, revision: Int? = nil) {
        (self.id, self.kind, self.client, self.revision) = (id, kind, client, revision)
    }
}

/// The flow of a call, and the call as a request of the client that began the flow.
struct OpenedFlow: Sendable {
    let token: FlowReference
    let request: SignInRequest
    /// Whether the user's name and code led to the flow: the caller does not have its token.
    let isNamed: Bool
    var id: UUID { token.id }
    var kind: FlowKind { token.kind }

    init(_ token: FlowReference, _ request: SignInRequest, isNamed: Bool = false) {
        (self.token, self.request, self.isNamed) = (token, request, isNamed)
    }
}

/// Flow tokens: `fl_` and a MAC over the kind, the row's id, the revision and the client.
///
/// A token can't be guessed, and a token of one kind does not work for another. Layout: MAC (16 bytes), position of the
/// kind (1), id (16), revision + 1 or 0 for none (4, big-endian), client.
struct FlowTokens: Sendable {
    private static let (macLength, headLength) = (16, 37)
    private let keys: [[UInt8]]

    init(keys: MasterKeys) {
        self.keys = keys.derivedAll("flow token")
    }

    func text(_ flow: FlowReference) -> String {
        let revision = UInt32(clamping: (flow.revision ?? -1) + 1)
        let body =
            [flow.kind.position] + flow.id.bytes + (0..<4).map { UInt8(truncatingIfNeeded: revision >> (24 - 8 * $0)) }
            + Array(flow.client.utf8)
        return SecretPrefix.flow.text(mac(body, keys[0]) + body)
    }

    /// The content of a token of this kind.
    ///
    /// - Throws: `flowExpired` for a forged token, and for one of another kind.
    func parse(_ text: String, _ kind: FlowKind) throws(Rejection) -> FlowReference {
        guard let flow = parse(text), flow.kind == kind else { throw .flowExpired }
        return flow
    }

    /// The kind of a token; nil for a forged one.
    func kind(of text: String) -> FlowKind? { parse(text)?.kind }

    private func parse(_ text: String) -> FlowReference? {
        guard text.utf8.count <= 160, let bytes = SecretPrefix.flow.bytes(of: text),
            bytes.count > Self.headLength
        else { return nil }
        let body = Array(bytes[Self.macLength...])
        guard keys.contains(where: { ConstantTime.equal(mac(body, $0), Array(bytes[..<Self.macLength])) }),
            let kind = FlowKind(position: body[0])
        else { return nil }
        let revision = body[17..<21].reduce(0) { $0 << 8 | Int($1) }
        return FlowReference(
            UUID(bytes: body[1..<17]), kind, client: String(decoding: body[21...], as: UTF8.self),
            revision: revision == 0 ? nil : revision - 1)
    }

    private func mac(_ body: [UInt8], _ key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(body, key: key).prefix(Self.macLength))
    }
}

extension FlowKind {
    fileprivate var position: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }

    fileprivate init?(position: UInt8) {
        guard Self.allCases.indices.contains(Int(position)) else { return nil }
        self = Self.allCases[Int(position)]
    }
}

extension FlowTokens {
    /// The flow of a call.
    ///
    /// - Parameter kinds: the only kinds that it may have; nil for each.
    /// - Throws: `flowExpired` for a forged token and for one of another kind or client, `clientUnknown`.
    func open(
        _ call: FlowCall, _ kinds: [FlowKind]? = nil, _ clients: ClientRegistry
    ) throws(Rejection) -> OpenedFlow {
        guard let token = parse(call.flow), kinds?.contains(token.kind) ?? true else { throw .flowExpired }
        guard let client = clients.client(token.client) else { throw .clientUnknown() }
        guard call.owner.map({ $0.id == client.id }) ?? true else { throw .flowExpired }
        let request = SignInRequest(
            client: client, device: call.device, handing: call.handing, tokens: call.tokens,
            renewsFlowTokens: call.renewsFlowTokens, botToken: call.botToken, caller: call.caller)
        return OpenedFlow(token, request, isNamed: call.isNamed)
    }
}
