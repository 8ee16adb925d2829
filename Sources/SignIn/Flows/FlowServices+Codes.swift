import Clients
import Cryptography
import Foundation
import JSON
import Messages
import Sessions
import Vocabulary

/// The codes of steps.
extension FlowServices {
    func digest(_ code: String, _ flow: UUID) -> [UInt8] { OneTimeCode.digest(code, flow: flow, key: tools.codeKey) }

    /// Refuses another code to a destination that no message reaches.
    func admit(resending dispatch: CodeDispatch, of flow: SignInFlow) async throws(Rejection) {
        try outbox.admit(dispatch.destination)
        if Self.mayTellOfBounce(dispatch.destination, flow),
            try await rejecting(logger, { try await outbox.hasBounced(dispatch.destination) })
        {
            throw .deliveryRefused
        }
    }

    /// Whether the answer may reveal that messages bounce: after a proof, or for the address that was typed.
    ///
    /// The address of a user name is its owner's secret. An unknown number gets no message that could bounce.
    private static func mayTellOfBounce(_ destination: Destination, _ flow: SignInFlow) -> Bool {
        if !flow.proofs.list.isEmpty || flow.session != nil { return true }
        guard case .email(let address) = destination, let named = flow.name.flatMap(EmailAddress.init) else {
            return false
        }
        return named.key.hasSameBytes(as: address.key)
    }

    /// The code that is sent when a step opens.
    func sending(_ step: (any FlowStep)?, _ context: FlowContext) -> FlowStore.Sending {
        guard let dispatch = step?.dispatch else { return FlowStore.Sending() }
        return sending(dispatch, context, isKnown: context.account != nil)
    }

    func sending(_ dispatch: CodeDispatch, _ context: FlowContext, isKnown: Bool) -> FlowStore.Sending {
        let request = context.request
        let price = throttles.message(
            to: dispatch.destination, address: request.caller.address, client: request.client.id)
        let code = OneTimeCode.sixDigits(.system)
        func message(_ content: MessageContent) -> OutgoingMessage {
            outbox.prepare(
                content, to: dispatch.destination, language: context.flow.language, account: context.account,
                client: request.client.id)
        }
        let once = noAccountNotice(dispatch, of: context.flow)
        return FlowStore.Sending(
            digest: digest(code, context.id),
            message: isKnown ? message(.code(dispatch.purpose, code, lifeSeconds: FlowService.life)) : nil,
            notice: !isKnown && once != nil ? message(.noAccount) : nil, once: once, price: price)
    }

    /// For unknown addresses, send "no account" over the same channel, once a day.
    ///
    /// Unknown numbers get nothing. The address shown for an unknown user name is invented and may be a stranger's.
    private func noAccountNotice(_ dispatch: CodeDispatch, of flow: SignInFlow) -> Throttle? {
        guard case .email(let mailbox) = dispatch.destination, !flow.beginsWithUserName, flow.proofs.list.isEmpty,
            flow.session == nil, dispatch.purpose == .signIn || dispatch.purpose == .reset
        else { return nil }
        return throttles.noAccountNotice(to: mailbox)
    }

    /// Sends the written message, after the commit.
    ///
    /// Waiting for the delivery would reveal in time and result whether a message was sent. So only the first mail of a day
    /// to an address is waited for, whether it is a code or a "no account" notice.
    func send(
        _ sending: FlowStore.Sending, _ purpose: CodePurpose?, of flow: SignInFlow
    ) async throws(Rejection) {
        if let once = sending.once, sending.message != nil || sending.notice != nil {
            let told = try await rejecting(logger) { try await store.tellOnce(sending.notice, once) }
            let message = told.isWritten ? sending.notice : sending.message
            guard told.isFirst else { return deliverLater(message) }
            return try await deliver(message)
        }
        try await send(sending.message, purpose, of: flow)
    }

    private func send(
        _ message: OutgoingMessage?, _ purpose: CodePurpose?, of flow: SignInFlow
    ) async throws(Rejection) {
        guard let message else { return }
        let isSilentForNobody = message.destination.medium == .sms || flow.beginsWithUserName
        guard isSilentForNobody, purpose == .signIn || purpose == .reset else { return try await deliver(message) }
        deliverLater(message)
    }

    private func deliver(_ message: OutgoingMessage?) async throws(Rejection) {
        if let message { try await outbox.deliver(message) }
    }

    private func deliverLater(_ message: OutgoingMessage?) {
        guard let message else { return }
        let outbox = outbox
        // Detached: no part of the time of the request.
        Task.detached { try? await outbox.deliver(message) }
    }
}
