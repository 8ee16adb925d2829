/// The network access of adapters: a real client, one behind a circuit breaker, or a script in a test.
package protocol HTTPTransport: Sendable {
    /// Sends `request` once and returns the whole response with any status except redirections.
    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse
}
