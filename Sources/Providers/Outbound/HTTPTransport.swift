/// What adapters ask the network with: a real client, one behind a circuit breaker, or a script in a test.
package protocol HTTPTransport: Sendable {
    /// Sends `request` once and answers with the whole response, whatever its status, redirections excepted.
    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse
}
