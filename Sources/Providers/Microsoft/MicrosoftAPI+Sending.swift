extension MicrosoftAPI {
    /// Sends a call when it is its turn, and once more where that can do no harm.
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

    /// Throws where the API says, whatever else, that it can't answer now; after a 429 it is left alone for as long as
    /// it asks.
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
    /// Whether the call may be sent once more after it failed so.
    ///
    /// Where no connection came about, nothing had left. One that broke may have been heard: then only calls that
    /// change nothing there and send nobody anything are repeated. A secret that was heard twice would count as two
    /// tries, a challenge would send two codes, and a token that was spent by the first would end the flow.
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
