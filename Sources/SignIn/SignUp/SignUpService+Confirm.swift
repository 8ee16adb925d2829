import Accounts
import Clients
import Cryptography
import Foundation
import JSON
import Messages
import Postgres
import Providers
import Sessions
import Vocabulary

/// The code of a sign-up, and the data that it lacks after the code.
extension SignUpService {
    /// Checks the typed code: creates an account and a session, or refuses with the number of attempts left.
    ///
    /// A sign-up that lacks data asks for it after the code, and makes the account then.
    func answer(_ response: StepResponse, _ flow: OpenedFlow) async throws(Rejection) -> SignInOutcome {
        let isData = if case .signUpData = response.answer { true } else { false }
        // A missing code is named before the flow is read.
        let code = isData ? nil : try response.answer.typedCode()
        let waiting = try await waiting(flow.id)
        if waiting.isProved { return try await complete(response, flow.id, waiting, flow.request) }
        guard let code else { throw .invalidField(.code, .required) }
        return try await confirm(code, flow.id, waiting, isNamed: flow.isNamed, flow.request)
    }

    private func confirm(
        _ code: String, _ flow: UUID, _ waiting: WaitingSignUp, isNamed: Bool, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        let digest = OneTimeCode.digest(code, flow: flow, key: codeKey)
        let (session, device) = try session(waiting, request)
        let asks = waiting.lack(request.client) != nil
        let asking = throttles.wrongAnswers(address: request.caller.address)
        let confirmed = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try Confirmation.perform(
                    flow, digest, waiting, asks: asks, isNamed: isNamed, session, asking, connection)
            }
        }
        return try await outcome(confirmed, flow, waiting, session, device.token, request)
    }

    /// Adds the data that the sign-up lacked.
    private func complete(
        _ response: StepResponse, _ flow: UUID, _ waiting: WaitingSignUp, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        guard case .signUpData(let data) = response.answer else { throw .flowExpired }
        var waiting = waiting
        let added = try await added(data, flow, &waiting, request)
        let (session, device) = try session(waiting, request)
        let completed = try await rejecting(logger) { [waiting] in
            try await pool.withConnection { connection in
                try Confirmation.complete(
                    flow, added, waiting, asks: waiting.lack(request.client) != nil, session, connection)
            }
        }
        return try await outcome(completed, flow, waiting, session, device.token, request)
    }

    /// The sent data as it is stored; `waiting` then has it, too.
    private func added(
        _ data: SignUpData, _ flow: UUID, _ waiting: inout WaitingSignUp, _ request: SignInRequest
    ) async throws(Rejection) -> JSONObject {
        let known = request.client.knownAttributes
        var typed = known.shown(waiting.attributes)
        for attribute in data.attributes.members { typed[attribute.name] = attribute.value }
        waiting.attributes = known.stored(try known.checked(typed, by: .user, isComplete: !data.isPart))
        var added: JSONObject = ["attributes": .object(waiting.attributes)]
        added["display_name"] = data.displayName.flatMap { DisplayName.clean($0, limit: 200) }.map(JSON.string)
        if let password = data.password {
            added["password"] = try await verifiers(of: password, flow, waiting.contact, request).json
            waiting.hasPassword = true
        }
        guard data.isPart || waiting.lack(request.client)?.needsPassword != true else {
            throw .invalidField(.newPassword, .required)
        }
        return added
    }

    private func session(
        _ waiting: WaitingSignUp, _ request: SignInRequest
    ) throws(Rejection) -> (SessionRequest, KnownDevices.Mark) {
        let device = devices.new(for: SignInName.throttleKey(waiting.contact.text))
        let session = try starter.request(
            for: request, provider: waiting.provider, proofs: Proofs([waiting.proof]), name: waiting.contact.text,
            device: device)
        return (session, device)
    }

    private func outcome(
        _ confirmation: Confirmation, _ flow: UUID, _ waiting: WaitingSignUp, _ session: SessionRequest,
        _ deviceToken: String, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        switch confirmation {
        case .further: return try await steps.goOn(session.id, request)
        case .proved: return .nextStep(try pending(flow, waiting, request.client, isProved: true))
        case .resetRequired: return .nextStep(passwordDue(flow, request.client))
        case .refused(let rejection): throw rejection
        case .signedIn(let summary):
            return .signedIn(
                try await starter.signedIn(
                    session, account: summary, identity: nil, isNew: true, deviceToken: deviceToken))
        }
    }

    /// The reset that the user of a new account begins by the name: the flow of the sign-up has ended.
    private func passwordDue(_ flow: UUID, _ client: Client) -> PendingStep {
        PendingStep(
            flow: flows.text(FlowReference(flow, .signUp, client: client.id)), expiresIn: 0, step: .resetPassword(nil))
    }

    /// The password of a sign-up with a proved address.
    private func verifiers(
        of password: String, _ account: UUID, _ contact: Destination, _ request: SignInRequest
    ) async throws(Rejection) -> PasswordVerifiers {
        try request.client.require(provider: PasswordSignInService.provider)
        try policy.check(password, contact.email)
        let place = try await rejecting(logger) { try await hasher.place(for: request.caller.network) }
        defer { place.leave() }
        return try await verifiers(of: password, account, [contact.text], request, in: place)
    }
}

extension Destination {
    fileprivate var email: EmailAddress? { if case .email(let address) = self { address } else { nil } }
}

extension WaitingSignUp {
    /// The proof that the confirmation yields.
    fileprivate var proof: Proof { hasPassword ? Proof(.password) : contact.proof }

    fileprivate var provider: String {
        if hasPassword { return PasswordSignInService.provider }
        return contact.medium == .email ? FirstFactor.emailCode.rawValue : FirstFactor.smsCode.rawValue
    }
}
