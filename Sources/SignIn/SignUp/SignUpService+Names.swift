import Clients
import Foundation
import Messages
import Postgres
import Sessions
import Vocabulary

/// Calls about the sign-up of a name, for protocols without flow tokens: unknown, pending and confirmed names look alike.
extension SignUpService {
    /// Counts a request for another code before the name is looked up, and returns the answer for every name.
    ///
    /// - Returns: the delivery as if a code was sent; the mailbox of a user name is invented.
    func announceResend(_ typed: String, _ request: SignInRequest) async throws(Rejection) -> SentCode {
        guard let name = SignInName(typed) else { throw .invalidField(.username, .notASignInName) }
        try await pay(
            throttles.resend(
                name: SignInName.throttleKey(name.text), client: request.client.id, address: request.caller.address))
        try await shared.bots?.admit(request)
        let number = PhoneNumber(name.text)
        let destination: String =
            if let number { number.masked } else if let address = EmailAddress(name.text) { address.masked } else {
                try await names.inventedMailbox(of: name).maskedWithoutEnding
            }
        return SentCode(
            medium: number == nil ? .email : .sms, destination: destination, codeLength: Self.codeLength, resendAfter: 0
        )
    }

    /// Sends another code of a pending sign-up, if one is due; nothing of it reaches the caller.
    func resendSilently(_ flow: String, _ request: SignInRequest) {
        let call = FlowCall(flow, of: request.client, device: request.device, caller: request.caller)
        guard let opened = try? flows.open(call, [.signUp], clients) else { return }
        // Detached: no part of the time of the request.
        Task.detached { _ = try? await self.resend(opened, isAsked: false) }
    }

    /// Counts a code for a name without a sign-up like a wrong one, and refuses it so.
    func refuse(_ code: String, _ typed: String, caller: Caller) async throws(Rejection) -> Never {
        _ = try StepAnswer.code(code).typedCode()
        try await pay(throttles.codeGuess(name: SignInName.throttleKey(typed), address: caller.address))
        throw .codeWrong(triesLeft: 0)
    }

    func pay(_ price: [Throttle]) async throws(Rejection) {
        let wait: Double = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select take_from_throttles(\(price))").map { try $0.value(0) } ?? 0
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
    }
}
