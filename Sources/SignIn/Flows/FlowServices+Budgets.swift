import Accounts
import Clients
import Cryptography
import JSON
import Sessions
import Vocabulary

/// The budgets of guesses, and the marks of devices that have budgets of their own.
extension FlowServices {
    func networkBuckets(_ request: SignInRequest) -> [Throttle] {
        throttles.wrongAnswers(address: request.caller.address) + throttles.passedOn(by: request.caller)
    }

    /// The network buckets that wrong answers are charged to; a known device is exempt from them.
    func chargedNetworks(_ context: FlowContext) -> [Throttle] {
        countsByNetwork(context) ? networkBuckets(context.request) : []
    }

    /// Signed-in users and codes on known devices are exempt: one caller cannot try many accounts there.
    func countsByNetwork(_ context: FlowContext) -> Bool {
        guard context.flow.session == nil, let step = context.flow.progress.step, step.isSprayed else { return false }
        return step is PasswordStep || !isKnownDevice(context)
    }

    private func isKnownDevice(_ context: FlowContext) -> Bool {
        if knownMark(context) != nil { return true }
        let confirmed = context.request.device.confirmed.map { Hex.encode(DeviceSecret.digest(of: $0)) }
        return confirmed.map(context.factors.confirmedDevices.contains) ?? false
    }

    /// The mark of a known device: made for the flow's name, or for the account's id where the flow has no name.
    private func knownMark(_ context: FlowContext) -> KnownDevices.Mark? {
        guard let name = context.flow.name ?? context.account?.text,
            let mark = devices.presented(context.request.device.token, for: SignInName.throttleKey(name)),
            context.factors.knownDevices.contains(Hex.encode(mark.digest))
        else { return nil }
        return mark
    }

    /// A known device keeps its mark.
    ///
    /// Other devices get a new one, and so does every device after a new password.
    ///
    /// The mark of a remembered device is valid under every name of the account.
    func deviceMark(_ flow: SignInFlow, _ context: FlowContext) -> KnownDevices.Mark {
        let name = SignInName.throttleKey(flow.name ?? context.account?.text ?? "")
        guard flow.progress.newPassword == nil else { return devices.new(for: name) }
        if let token = context.request.device.token, let mark = devices.mark(token),
            context.factors.remembered.contains(Hex.encode(mark.digest))
        {
            return mark
        }
        return knownMark(context) ?? devices.new(for: name)
    }

    /// The flow with the budget of its step: passwords have that of plain sign-ins, codes of a name another one.
    func budgeted(_ flow: SignInFlow, _ client: Client) -> SignInFlow {
        var flow = flow
        let isPassword = flow.progress.step is PasswordStep || flow.progress.step is SRPStep
        flow.guess = isPassword ? throttles.passwordGuess(client: client.id) : nil
        guard flow.from != nil, let key = flow.name.map(SignInName.throttleKey) else { return flow }
        let bucket =
            isPassword
            ? throttles.passwordAttempt(name: key, client: client.id)[0].bucket : throttles.guessBucket(for: key)
        flow.guessBucket = Hex.encode(bucket)
        return flow
    }
}
