import Clients
import Foundation
import Logging
import Providers
import Sessions
import Vocabulary

/// A question of the operator's own service, which judges the answer.
///
/// It can only be a second factor: see ``SignInCourse``.
struct CustomChallengeStep: FlowStep {
    static let kind = "custom_challenge"
    /// The question with the service's private data; nil before the service was asked.
    private var challenge: ChallengeWebhook.Challenge?

    func opened(_ context: FlowContext) async throws(Rejection) -> any FlowStep {
        let subject = try Self.subject(context, failures: 0)
        var step = self
        step.challenge = try await Self.asking(context) { webhook throws(ProviderError) in
            try await webhook.create(subject)
        }
        return step
    }

    func shown(_ context: FlowContext) throws(Rejection) -> SignInStep {
        guard let challenge else { throw .internalError }
        return .customChallenge(
            ChallengePrompt(challenge.shown), StepOptions(choices: context.choices(besides: .custom)))
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.candidates.contains(.custom) }

    func judge(_ response: StepResponse, _ context: FlowContext) async throws(Rejection) -> Verdict {
        let answer = try response.answer.typedChallengeAnswer()
        let subject = try Self.subject(context, failures: context.failures)
        guard let challenge else { throw .flowExpired }
        let isRight = try await Self.asking(context) { webhook throws(ProviderError) in
            try await webhook.verify(answer, to: challenge, subject)
        }
        return isRight ? .right(Right(proof: Proof(.custom))) : .wrong
    }

    private static func subject(
        _ context: FlowContext, failures: Int
    ) throws(Rejection) -> ChallengeWebhook.Subject {
        guard let account = context.account else { throw .flowExpired }
        return ChallengeWebhook.Subject(
            flow: context.id, account: account,
            client: context.request.client.id, proved: context.flow.proofs.methods, failures: failures)
    }

    private static func asking<Value>(
        _ context: FlowContext, _ ask: (ChallengeWebhook) async throws(ProviderError) -> Value
    ) async throws(Rejection) -> Value {
        guard let webhook = context.tools.challenge else { throw .challengeUnavailable }
        do throws(ProviderError) {
            return try await ask(webhook)
        } catch {
            if case .unavailable(let reason, _) = error {
                context.tools.logger.warning(
                    "the custom challenge gives no answer",
                    metadata: ["reason": "\(reason)", "client": "\(context.request.client.id)"])
            }
            throw .challengeUnavailable
        }
    }
}
