import Accounts
import Clients
import Foundation
import Messages
import Postgres
import Sessions
import Vocabulary

/// Begins sign-ins with a name: a code, a choice of first factors, SRP, a forgotten password.
package final class NameSignInService: Sendable {
    let shared: FlowServices

    package init(_ shared: FlowServices) { self.shared = shared }

    /// Sends a code to an address or number, which is the whole first factor.
    func beginCode(_ typed: String, by factor: FirstFactor, _ request: SignInRequest) async throws(Rejection)
        -> PendingStep
    {
        try request.client.require(provider: factor.rawValue)
        guard let name = SignInName(typed), let step = try await codeStep(factor, for: name) else {
            throw .invalidField(.username, factor == .smsCode ? .notAPhoneNumber : .notAnEmailAddress)
        }
        try await shared.bots?.admit(request)
        return try await begin(step, name, provider: factor.rawValue, action: "code_sent", request)
    }

    /// Nil for a name of another kind.
    private func codeStep(
        _ factor: FirstFactor, for name: SignInName
    ) async throws(Rejection) -> (any FlowStep)? {
        // The code of a user name goes to the account's proved mailbox.
        if factor == .emailCode, name.kind == .userName { return CodeStep(try await mailbox(of: name)) }
        guard let step = factor.step(for: name.text, shared.tools), step.dispatch != nil else { return nil }
        return step
    }

    /// Offers the first factors of a name, or asks for one: `first`, the preferred one, or the only one.
    func beginSelection(
        _ typed: String, _ first: FirstFactor?, _ request: SignInRequest
    ) async throws(Rejection) -> PendingStep {
        guard let name = SignInName(typed) else {
            throw .invalidField(.username, .notASignInName)
        }
        let offered = offered(for: name, by: request.client)
        guard let only = offered.first else { throw .providerNotAllowed() }
        var asked = offered.count == 1 ? only : first.flatMap { offered.contains($0) ? $0 : nil }
        if asked == nil { asked = try await preferred(name, among: offered, request) }
        guard let factor = asked, let step = factor.step(for: name.text, shared.tools) else {
            let selection = FirstFactorSelectionStep(offered)
            return try await begin(
                selection, name, provider: "password", action: "sign_in_started", firstFactors: offered, request)
        }
        if step.dispatch != nil { try await shared.bots?.admit(request) }
        return try await begin(
            step, name, provider: factor.rawValue, action: "sign_in_started", firstFactors: offered, request)
    }

    /// The first factor to ask a typed name for, where the person makes no choice.
    ///
    /// On a device that is known for the name, the user's preferred one; then the one used last on this device, if the
    /// app offers it for such a name; then the first one in the app's order. A passkey comes last, as most accounts have
    /// none. Unless the device is known, the answer depends on no account.
    func likelyFactor(
        _ typed: String, usedLast: FirstFactor?, _ request: SignInRequest
    ) async throws(Rejection) -> FirstFactor {
        guard let name = SignInName(typed) else { throw .invalidField(.username, .notASignInName) }
        let offered = offered(for: name, by: request.client)
        if let preferred = try await preferred(name, among: offered, request) { return preferred }
        if let usedLast, offered.contains(usedLast) { return usedLast }
        let inOrder = request.client.providers.compactMap(FirstFactor.init(rawValue:)).filter(offered.contains)
        guard let first = inOrder.first(where: { $0 != .passkey }) ?? inOrder.first else { throw .providerNotAllowed() }
        return first
    }

    /// Whether a name has an account.
    ///
    /// - Throws: `throttled` for a network that asks too often: each answer reveals a user.
    func hasAccount(_ typed: String, caller: Caller) async throws(Rejection) -> Bool {
        guard let name = SignInName(typed) else { return false }
        let price = shared.throttles.start(address: caller.address)
        let (wait, isKnown): (Double, Bool) = try await rejecting(shared.logger) {
            try await shared.store.pool.withConnection { connection in
                let row = try connection.row(
                    "select take_from_throttles(\(price)), account_to_sign_in(\(name.kind.rawValue), \(name.key)) is not null"
                )
                return (try row.value(0), try row.value(1))
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
        return isKnown
    }

    /// Whether the account of a name has a passkey: only for apps that reveal their users.
    func hasPasskey(_ typed: String) async throws(Rejection) -> Bool {
        guard let name = SignInName(typed) else { return false }
        return try await rejecting(shared.logger) {
            try await shared.store.pool.withConnection { connection in
                try connection.row(
                    "select exists (select from passkeys where account_id = account_by_name(\(name.kind.rawValue), \(name.key)))"
                ).value(0)
            }
        }
    }

    private func offered(for name: SignInName, by client: Client) -> [FirstFactor] {
        FirstFactor.offered(for: name, by: client).filter { $0.step(for: name.text, shared.tools) != nil }
    }

    /// The user's preferred first factor, on a device that is known for the name.
    ///
    /// On other devices the preference would reveal that the name has an account.
    private func preferred(
        _ name: SignInName, among offered: [FirstFactor], _ request: SignInRequest
    ) async throws(Rejection) -> FirstFactor? {
        let key = SignInName.throttleKey(name.text)
        guard offered.count > 1, let mark = shared.devices.presented(request.device.token, for: key) else { return nil }
        let preferred = try await rejecting(shared.logger) {
            try await shared.store.preferredFirstFactor(of: name, knowing: mark)
        }
        return preferred.flatMap { offered.contains($0) ? $0 : nil }
    }

    /// Sends a code that lets its reader choose another password.
    ///
    /// - Parameter isAsked: whether the user asked for it. If a password attempt leads here, that was charged already.
    func beginReset(
        _ typed: String, _ request: SignInRequest, isAsked: Bool
    ) async throws(Rejection) -> PendingStep {
        try request.client.require(provider: "password")
        guard let name = SignInName(typed) else {
            throw .invalidField(.username, .notASignInName)
        }
        if isAsked { try await shared.bots?.admit(request) }
        let destination = try await mailbox(of: name)
        return try await begin(
            ResetPasswordStep(destination), name, provider: "password", action: "reset_started", request)
    }

    /// The destination of messages for a name.
    ///
    /// A user name without a proved mailbox gets an invented address. No message goes there: `begin_code_flow` stores no
    /// account where the address is not proved.
    private func mailbox(of name: SignInName) async throws(Rejection) -> Destination {
        if let address = EmailAddress(name.text) { return .email(address) }
        if let number = PhoneNumber(name.text) { return .phone(number) }
        let found = try await rejecting(shared.logger) { try await shared.store.address(ofUserName: name.key) }
        if let address = found.flatMap(EmailAddress.init) { return .email(address) }
        return .email(try await inventedMailbox(of: name))
    }

    /// The same for the same name, as a real one would be.
    func inventedMailbox(of name: SignInName) async throws(Rejection) -> EmailAddress {
        let code = try await rejecting(shared.logger) { try await shared.tools.names?.secret.code("mailbox", name.key) }
        let letters = (code ?? []).map { Character(Unicode.Scalar(0x61 + $0 % 26)) }
        guard letters.count > 2, let address = EmailAddress("\(letters[0])\(letters[1])@\(letters[2]).com") else {
            throw .internalError
        }
        return address
    }

    /// - Parameter isCharged: whether the caller has charged the network already.
    func begin(
        _ step: any FlowStep, _ name: SignInName, provider: String, action: String, firstFactors: [FirstFactor] = [],
        isCharged: Bool = false, _ request: SignInRequest
    ) async throws(Rejection) -> PendingStep {
        try shared.outbox.admit(step.dispatch?.destination)
        let id = shared.starter.newID()
        let flow = shared.budgeted(
            SignInFlow(
                provider: provider, name: name.text, from: request.caller.address,
                language: request.caller.language ?? "", linkFlow: try request.linkFlowID(shared.tokens),
                wish: request.wish, progress: FlowProgress(step: step, firstFactors: firstFactors)),
            request.client)
        let context = shared.context(id, .signIn, flow, request)
        let opening = isCharged ? Opening.free : opening(step, context)
        let refusal = try await rejecting(shared.logger) {
            try await shared.store.begin(id, flow, name, opening, action, request)
        }
        switch refusal {
        case .refused(let rejection): throw rejection
        case .begun(let isKnown):
            try await shared.send(isKnown ? opening.known : opening.unknown, step.dispatch?.purpose, of: flow)
        }
        return try shared.shown(context)
    }

    /// The messages for a known name and for an unknown one.
    struct Opening: Sendable {
        let known: FlowStore.Sending
        let unknown: FlowStore.Sending
        let price: [Throttle]

        /// Without a message and without a charge.
        static let free = Opening(known: FlowStore.Sending(), unknown: FlowStore.Sending(), price: [])
    }

    private func opening(_ step: any FlowStep, _ context: FlowContext) -> Opening {
        guard let dispatch = step.dispatch else {
            let price = shared.throttles.start(address: context.request.caller.address)
            return Opening(known: FlowStore.Sending(), unknown: FlowStore.Sending(), price: price)
        }
        let known = shared.sending(dispatch, context, isKnown: true)
        return Opening(known: known, unknown: shared.sending(dispatch, context, isKnown: false), price: known.price)
    }
}
