import Cryptography
import Foundation
import JSON
import Logging
import Providers

/// Something that a service of the operator's asks, and judges the answer to.
///
/// It is a second thing beside what was proved here, never a first: see ``SignInCourse``.
struct CustomChallengeStep: FlowStep {
    static let kind = "custom_challenge"
    private static let purpose = "custom challenge"

    private let shown: JSONObject
    /// What the service keeps with the challenge, sealed; nil before it was asked.
    private let sealed: [UInt8]?

    init() { (shown, sealed) = ([:], nil) }

    private init(_ challenge: ChallengeWebhook.Challenge, _ box: SealedBox) {
        shown = challenge.shown
        sealed = box.seal(JSON.object(challenge.kept).bytes(), purpose: Self.purpose)
    }

    init?(stored: JSONObject) {
        guard let shown = stored["shown"]?.object,
            let sealed = stored["sealed"]?.string.flatMap({ Data(base64Encoded: $0) })
        else { return nil }
        (self.shown, self.sealed) = (shown, Array(sealed))
    }

    var stored: JSONObject {
        ["shown": .object(shown), "sealed": .string(Data(sealed ?? []).base64EncodedString())]
    }

    func opened(_ context: StepContext) async throws(Rejection) -> any FlowStep {
        let subject = try Self.subject(context, failures: 0)
        return try await Self.asking(context) { webhook throws(ProviderError) in
            CustomChallengeStep(try await webhook.create(subject), context.tools.box)
        }
    }

    func shown(_ context: StepContext) -> SignInStep {
        .customChallenge(ChallengePrompt(shown), StepOptions(choices: context.choices(besides: .custom)))
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.candidates.contains(.custom) }

    func judge(_ response: StepResponse, _ context: StepContext) async throws(Rejection) -> Verdict {
        let answer = try response.answer.typedChallengeAnswer()
        let subject = try Self.subject(context, failures: context.failures)
        let challenge = try challenge(context.tools)
        let isRight = try await Self.asking(context) { webhook throws(ProviderError) in
            try await webhook.verify(answer, to: challenge, subject)
        }
        return isRight ? .right(Right(proof: Proof(.custom))) : .wrong
    }

    private func challenge(_ tools: StepTools) throws(Rejection) -> ChallengeWebhook.Challenge {
        guard let sealed, let opened = try? tools.box.open(sealed, purpose: Self.purpose),
            let kept = (try? JSON(parsing: opened))?.object
        else { throw .flowExpired }
        return ChallengeWebhook.Challenge(shown: shown, kept: kept)
    }

    private static func subject(
        _ context: StepContext, failures: Int
    ) throws(Rejection) -> ChallengeWebhook.Subject {
        guard let account = context.account else { throw .flowExpired }
        return ChallengeWebhook.Subject(
            flow: context.flowID.text, account: account.text, client: context.client,
            proved: context.flow.proofs.methods, failures: failures)
    }

    private static func asking<Value>(
        _ context: StepContext, _ ask: (ChallengeWebhook) async throws(ProviderError) -> Value
    ) async throws(Rejection) -> Value {
        guard let webhook = context.tools.challenge else { throw .challengeUnavailable }
        do throws(ProviderError) {
            return try await ask(webhook)
        } catch {
            if case .unavailable(let reason, _) = error {
                context.tools.logger.warning(
                    "the custom challenge gives no answer",
                    metadata: ["reason": "\(reason)", "client": "\(context.client)"])
            }
            throw .challengeUnavailable
        }
    }
}
