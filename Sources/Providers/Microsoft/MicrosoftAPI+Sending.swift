import Outbound

extension MicrosoftAPI {
    /// Sends a call at its turn, and repeats it once where that does no harm.
    func send(
        _ operation: Operation, _ request: HTTPRequest, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> HTTPResponse {
        var result = try await sendOnce(request, by: deadline)
        if case .failure(let error) = result, operation.mayBeRepeated(after: error) {
            result = try await sendOnce(request, by: deadline)
        }
        switch result {
        case .success(let response): return response
        case .failure(let error): throw upstream.failure(error)
        }
    }

    private func sendOnce(
        _ request: HTTPRequest, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> Result<HTTPResponse, TransferError> {
        try await pacer.wait(by: deadline)
        return try await upstream.attempt(request, by: deadline)
    }

    /// Throws for every answer that reports a temporary failure, and holds calls after a 429 for the requested time.
    func checkStanding(_ response: HTTPResponse) throws(ProviderError) {
        guard response.status == 429 else {
            _ = try upstream.judged(response)
            return
        }
        let seconds = Upstream.retryAfter(of: response)
        if let seconds { pacer.hold(seconds: seconds) }
        throw upstream.failure("upstream_throttled", retryAfter: seconds ?? 5)
    }
}

extension MicrosoftAPI.Operation {
    /// Whether the call may be sent once more after this failure.
    ///
    /// Without a connection, nothing was sent. A broken connection may have delivered the call. Only calls that change
    /// nothing and send nothing are then repeated. A repeated secret would count as two attempts, and a repeated
    /// challenge would send two codes. A repeated token, spent by the first call, would end the flow.
    func mayBeRepeated(after error: TransferError) -> Bool {
        switch error {
        case .connectFailed: true
        case .connectionLost: isHarmless
        default: false
        }
    }

    private var isHarmless: Bool {
        switch self {
        case .initiate, .introspect, .registerIntrospect, .resetPoll: true
        case .challenge, .token, .signUpStart, .signUpChallenge, .signUpContinue, .resetStart, .resetChallenge,
            .resetContinue, .resetSubmit, .registerChallenge, .registerContinue:
            false
        }
    }
}
