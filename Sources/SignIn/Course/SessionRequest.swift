import Clients
import Foundation
import JSON
import Postgres
import Sessions
import Vocabulary

/// The session that a sign-in method asks the database to make.
struct SessionRequest: Sendable {
    let credential: SessionCredential
    /// The stored form of the credential.
    let digest: [UInt8]
    let client: Client
    var profile: TokenProfile
    let order: TokenOrder
    /// The resources that it covers.
    var resources = ResourceScopes.none
    /// The sign-in method: a provider's id, or `password`.
    let provider: String
    /// The time of the user's last proof.
    let authTime: Date
    /// The start of the session.
    let madeAt: Date
    let proofs: Proofs
    /// The typed name, if the sign-in had one.
    let name: String?
    let deviceName: String?
    let caller: Caller
    /// The new mark of the device; nil if it gets none.
    var device: KnownDevices.Mark?
    /// The stored form of the mark that the device presented; the database decides whether it counts.
    let presentedMark: [UInt8]?
    /// The session that the device presented.
    let presentedSession: UUID?
    /// Whether a sign-in from a new device is reported by mail.
    let mailsNewDevice: Bool
    /// Whether it is the session of a browser, from which those of apps begin.
    let isBrowsers: Bool
    /// The second factor that the app wishes.
    let wish: SecondFactorWish?

    /// The session's id.
    var id: UUID { credential.session }

    /// An unclaimed session expires together with its handover code.
    fileprivate var idleSeconds: Int {
        if case .code = credential { HandoverCode.life } else { profile.refresh.idle }
    }

    func facts(account: UUID, claims: JSONObject) -> AccessTokenFacts {
        AccessTokenFacts(
            session: id, account: account, clientID: client.id, provider: provider, authTime: authTime,
            amr: proofs.methods, acr: proofs.level, proofs: proofs, claims: claims, key: caller.key)
    }

    /// The key to which the refresh token is bound (RFC 9449 §5).
    ///
    /// A confidential client authenticates at each refresh, and may change its key.
    fileprivate var refreshKey: String? { client.kind == .public ? caller.key : nil }
}

extension SQL.StringInterpolation {
    /// Binds the composite value `session_request` that the functions of the schema take.
    mutating func appendInterpolation(_ request: SessionRequest) {
        appendLiteral("row(")
        appendInterpolation(request.id)
        appendLiteral(", ")
        appendInterpolation(request.client.id)
        appendLiteral(", ")
        appendInterpolation(request.provider)
        appendLiteral(", ")
        appendInterpolation(request.digest)
        appendLiteral(", ")
        appendInterpolation(request.authTime)
        appendLiteral(", ")
        appendInterpolation(request.proofs.methods)
        appendLiteral(", ")
        appendInterpolation(request.proofs.level)
        appendLiteral(", ")
        appendInterpolation(Int32(request.idleSeconds))
        appendLiteral(", ")
        appendInterpolation(Int32(request.profile.refresh.maximum))
        appendLiteral(", ")
        appendInterpolation(request.deviceName)
        appendLiteral(", ")
        appendInterpolation(request.caller.address)
        appendLiteral(", ")
        appendInterpolation(request.caller.userAgent)
        appendLiteral(", ")
        appendInterpolation(request.caller.requestID)
        appendLiteral(", ")
        appendInterpolation(request.device?.digest)
        appendLiteral(", ")
        appendInterpolation(request.client.audiences.contains(.administration))
        appendLiteral(", ")
        appendInterpolation(Int32(FlowService.life))
        appendLiteral(", ")
        appendInterpolation(KnownDevices.life)
        appendLiteral(", ")
        appendInterpolation(KnownDevices.mostOfAccount)
        appendLiteral(", ")
        let scopes = request.order.scopes.names + request.resources.names
        appendInterpolation(scopes.isEmpty ? nil : scopes)
        appendLiteral(", ")
        appendInterpolation(request.presentedMark)
        appendLiteral(", ")
        appendInterpolation(request.presentedSession)
        appendLiteral(", ")
        appendInterpolation(request.mailsNewDevice)
        appendLiteral(", ")
        appendInterpolation(request.order.dialect.stored)
        appendLiteral(", ")
        appendInterpolation(request.refreshKey)
        appendLiteral(", ")
        appendInterpolation(request.caller.language)
        appendLiteral(")::session_request")
    }

    /// Binds the data that `reach_session` stores when a sign-in needs further steps: the proofs and the facts of its
    /// flow (``SignInFlow``).
    mutating func appendInterpolation(gate request: SessionRequest) {
        let flow = SignInFlow(
            provider: request.provider, name: request.name, language: request.caller.language ?? "",
            wish: request.wish, provedAt: request.authTime)
        // A wish opens a flow, which knows the factors of the account.
        let asksForFactor = request.client.demandsSecondFactor || request.wish != nil
        let gate: JSON = [
            "demanded": .bool(asksForFactor), "proofs": request.proofs.json, "facts": flow.facts,
        ]
        appendInterpolation(JSONText(gate.text))
    }
}
