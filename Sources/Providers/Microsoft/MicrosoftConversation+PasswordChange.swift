import Cryptography
import FoundationEssentials

/// A submitted password that is not yet effective.
extension MicrosoftConversation {
    /// Seconds that a change may take, over all requests that poll it.
    static let longestChange = 120
    /// The time that one request of ours polls: a request has ten seconds by default.
    private static let patience = Duration.seconds(6)
    /// The time for polling and its calls together, from the beginning.
    private static let wholeRequest = Duration.seconds(9)

    /// The wall clock, in whole seconds.
    var second: Int { Int(context.now.timeIntervalSince1970) }

    /// Polls again, in another request.
    func askAgain(_ flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        guard second < flow.waitsUntil else {
            provider.upstream.health.failed("password_change_slow")
            return .ended(.expired)
        }
        return try await later.poll(flow, nil, mayRepeat: false)
    }

    /// Polls whether the new password is effective, at the API's intervals and within this request's time.
    ///
    /// After that the app has to poll again.
    ///
    /// - Parameter password: nil in a request without one. It is never stored.
    func poll(
        _ flow: MicrosoftFlow, _ password: Secret?, mayRepeat: Bool
    ) async throws(ProviderError) -> StepwiseAnswer {
        var flow = flow
        while true {
            let reply: MicrosoftAPI.Reply
            do {
                reply = try await call(.resetPoll, in: flow)
            } catch {
                // The change continues at Microsoft, whatever happened to this call.
                guard case .unavailable(_, let seconds) = error else { throw error }
                return waiting(flow, seconds)
            }
            guard case .success(let members) = reply else { return try await unpolled(reply, flow, password) }
            flow = flow.next(.passwordChange, members)
            switch members.text("status") {
            case "succeeded": return try await buyAfterwards(flow)
            case "failed": return try await changeFailed(flow, password, mayRepeat: mayRepeat)
            case "in_progress", "not_started": break
            default: throw malformed()
            }
            guard try await pauses(.seconds(flow.pollInterval)) else { return waiting(flow, flow.pollInterval) }
        }
    }

    /// False, without waiting, if this request has no time left.
    private func pauses(_ interval: Duration) async throws(ProviderError) -> Bool {
        guard provider.upstream.now() + interval <= begun + Self.patience else { return false }
        do { try await provider.pause(interval) } catch { throw provider.upstream.failure("cancelled") }
        return true
    }

    private func waiting(_ flow: MicrosoftFlow, _ seconds: Int) -> StepwiseAnswer {
        step(.resetUnderWay(retryAfter: seconds), flow, life: max(1, flow.waitsUntil - second))
    }

    /// Handles a refusal instead of a status: Microsoft checks some password rules only now.
    private func unpolled(
        _ reply: MicrosoftAPI.Reply, _ flow: MicrosoftFlow, _ password: Secret?
    ) async throws(ProviderError) -> StepwiseAnswer {
        var flow = flow
        if password != nil {
            // The step that the user has just answered, and can answer again.
            flow.step = .resetPassword
        } else if case .refused(let refusal) = reply, case .refusal(.passwordRejected) = refusal.meaning {
            return askAnew(flow)
        }
        return try await settle(reply, in: flow) { _ throws(ProviderError) in throw malformed() }
    }

    /// The API's page says that the password may then be submitted again.
    private func changeFailed(
        _ flow: MicrosoftFlow, _ password: Secret?, mayRepeat: Bool
    ) async throws(ProviderError) -> StepwiseAnswer {
        guard let password else { return askAnew(flow) }
        guard mayRepeat else { throw provider.upstream.failure("password_change_failed") }
        var flow = flow
        flow.step = .resetPassword
        return try await submit(password, flow, mayRepeat: false)
    }

    private func askAnew(_ flow: MicrosoftFlow) -> StepwiseAnswer {
        var next = flow
        next.step = .resetPassword
        return step(.newPassword(requiredAttributes: []), next)
    }

    /// The same conversation with more time for its calls, since waiting consumes it.
    var later: MicrosoftConversation {
        MicrosoftConversation(
            provider: provider, native: native, context: context,
            deadline: Upstream.Deadline(instant: max(deadline.instant, begun + Self.wholeRequest)), begun: begun)
    }
}
