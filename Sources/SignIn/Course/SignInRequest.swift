package import Clients
package import Foundation
package import Sessions
package import Vocabulary

/// What an app tells about its device, unverified.
package struct DeviceHint: Sendable, Equatable {
    /// Shown in the list of devices.
    package let name: String?
    /// The token from an earlier sign-in on this device.
    package let token: String?
    /// The session of a cookie that we made for this browser.
    package let session: UUID?
    /// The name of a device that proves itself by a secret, as ``DeviceSecret`` has it.
    package let confirmed: String?
    /// Whether the device gets and keeps a mark.
    let keepsMark: Bool

    package init(name: String? = nil, token: String? = nil, session: UUID? = nil) {
        (self.name, self.token, self.session, confirmed, keepsMark) = (name, token, session, nil, true)
    }

    /// The device of a client whose protocol has no marks: a stored one would evict marks that devices hold.
    ///
    /// - Parameter confirmed: the name of a device that proves itself by a secret.
    package init(unmarked confirmed: String?) {
        (name, token, session, self.confirmed, keepsMark) = (nil, nil, nil, confirmed, false)
    }

    /// The digest by which an account may know the device.
    var known: [UInt8]? { token.flatMap(KnownDevices.digest) ?? confirmed.map(DeviceSecret.digest) }
}

/// The client and the caller of a sign-in, unverified.
package struct SignInRequest: Sendable {
    package let client: Client
    package let device: DeviceHint
    /// The link flow that this sign-in is to prove, as text.
    package let linkFlow: String?
    /// The access token that came with the request.
    package let bearer: PresentedToken?
    package let handing: SessionHanding
    /// Whether the token of the flow changes with every step; the earlier token then ends.
    package let renewsFlowTokens: Bool
    /// The tokens that the session gets, of those that the app may ask for.
    package let tokens: TokenOrder
    /// The answer of a bot check's widget.
    package let botToken: String?
    /// The second factor that the app wishes, for the beginning of a sign-in: the flow keeps it.
    package let wish: SecondFactorWish?
    package let caller: Caller
    /// The accompanying session of an earlier call, in place of a bearer token; front doors never set it.
    private(set) var accompanying: AccompanyingSession?

    package init(
        client: Client, device: DeviceHint, linkFlow: String? = nil, bearer: PresentedToken? = nil,
        handing: SessionHanding = .tokens, tokens: TokenOrder = .gateway, renewsFlowTokens: Bool = false,
        botToken: String? = nil, wish: SecondFactorWish? = nil, caller: Caller
    ) {
        (self.client, self.device, self.linkFlow) = (client, device, linkFlow)
        (self.bearer, self.handing, self.caller) = (bearer, handing, caller)
        self.tokens = tokens.limited(to: client.openID.scopes)
        (self.renewsFlowTokens, self.botToken, self.wish) = (renewsFlowTokens, botToken, wish)
    }

    /// Whether an access token came with the sign-in.
    var carriesSession: Bool { bearer != nil || accompanying != nil }

    /// Requires the key of a client whose tokens must be bound, where the answer has tokens.
    ///
    /// A cookie is none, and the redemption of a code needs the proof.
    func requireKey() throws(Rejection) {
        if handing == .tokens { try client.requireKey(caller.key, at: tokens.dialect) }
    }

    /// The request as a later call of a sign-in with this accompanying session.
    func continuing(accompaniedBy session: AccompanyingSession?) -> SignInRequest {
        var request = self
        request.accompanying = session
        return request
    }

    /// The id of the link flow, which must be the client's.
    func linkFlowID(_ flows: FlowTokens) throws(Rejection) -> UUID? {
        guard let linkFlow else { return nil }
        let flow = try flows.parse(linkFlow, .linkAccount)
        guard flow.client == client.id else { throw .flowExpired }
        return flow.id
    }
}
