package import Accounts
package import Foundation

/// A session that was just made, with the tokens that only its owner ever sees.
package struct IssuedSession: Sendable, Equatable {
    package let id: UUID
    package let accessToken: String
    /// In seconds.
    package let accessTokenLife: Int
    package let refreshToken: String
    /// In seconds.
    package let refreshTokenLife: Int
}

/// The identity that a sign-in went through.
package struct IdentitySummary: Sendable, Equatable {
    package let id: UUID
    package let provider: String
    package let subject: String
}

package struct SignedIn: Sendable, Equatable {
    package let account: AccountSummary
    /// Nil for a password.
    package let identity: IdentitySummary?
    package let session: HandedSession
    package let sessionID: UUID
    package let isNewAccount: Bool
    /// Marks this device as known.
    package let deviceToken: String?
    /// To be written down, where a second factor was just set up; they are never shown again.
    package let recoveryCodes: [String]?
}

package struct PendingStep: Sendable, Equatable {
    /// What the next call names it by.
    package let flow: String
    /// In seconds.
    package let expiresIn: Int
    package let step: SignInStep
    /// To be written down, where a second factor was just set up; they are never shown again.
    package var recoveryCodes: [String]?
}

package enum SignInOutcome: Sendable, Equatable {
    case signedIn(SignedIn)
    case nextStep(PendingStep)
}

/// What an app says of the device it runs on; nothing of it is proved.
package struct DeviceHint: Sendable, Equatable {
    /// Shown in the list of devices.
    package let name: String?
    /// What an earlier password sign-in on this device was given.
    package let token: String?

    package init(name: String? = nil, token: String? = nil) {
        (self.name, self.token) = (name, token)
    }
}

/// Who wants to sign in from where, before anybody believes it.
package struct SignInRequest: Sendable {
    package let client: Client
    package let device: DeviceHint
    /// The link flow that this sign-in is to prove, as text.
    package let linkFlow: String?
    /// The access token of whoever asks, where somebody is signed in already.
    package let bearer: String?
    package let handing: SessionHanding
    package let caller: Caller
    /// The session that stood beside an earlier call of the same sign-in, in place of a bearer; no front door sets it.
    private(set) var beside: SessionBeside?

    package init(
        client: Client, device: DeviceHint, linkFlow: String? = nil, bearer: String? = nil,
        handing: SessionHanding = .tokens, caller: Caller
    ) {
        (self.client, self.device, self.linkFlow) = (client, device, linkFlow)
        (self.bearer, self.handing, self.caller) = (bearer, handing, caller)
    }

    /// Whether somebody signed in asks.
    var carriesSession: Bool { bearer != nil || beside != nil }

    /// The same as a later call of a sign-in that such a session stood beside.
    func continuing(beside session: SessionBeside?) -> SignInRequest {
        var request = self
        request.beside = session
        return request
    }

    /// The link flow's row, when it is one of this client's.
    func linkFlowID(_ flows: FlowTokens) throws(Rejection) -> UUID? {
        guard let linkFlow else { return nil }
        let (flow, owner) = try flows.parse(linkFlow, .linkAccount)
        guard owner == client.id else { throw .flowExpired }
        return flow
    }
}
