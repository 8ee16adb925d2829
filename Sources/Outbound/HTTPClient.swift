import CCurl

/// HTTP over libcurl: one thread, kept and shared connections, HTTP/2 if the server supports it.
///
/// HTTPS only, with TLS 1.2 or later and verified certificates. It uses no redirections, cookies, proxies or
/// credentials from the environment. Every answer has a deadline and a size limit, and ``AddressGuard`` checks
/// addresses.
package final class HTTPClient: HTTPTransport {
    private let configuration: OutboundConfiguration
    private let loop: TransferLoop

    package init(configuration: OutboundConfiguration = OutboundConfiguration()) {
        self.configuration = configuration
        loop = TransferLoop(name: "outbound-http", maximumInFlight: configuration.maximumInFlight)
    }

    deinit {
        loop.stop()
    }

    package func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let plan = try HTTPTransferPlan(request, configuration: configuration)
        return try await loop.run(plan).response()
    }

    /// Ends pending requests as ``TransferError/closed`` and waits for the thread; later requests fail at once.
    package func shutdown() async {
        await loop.shutdown()
    }
}

extension TransferOutcome {
    fileprivate func response() throws(TransferError) -> HTTPResponse {
        switch end {
        case .cancelled: throw .cancelled
        case .overloaded: throw .overloaded
        case .closed: throw .closed
        case .notStarted: throw .invalidRequest("options")
        case .finished(CURLE_OK): break
        case .finished(let code): throw transferError(code)
        }
        guard !(300..<400).contains(status) else { throw .redirectRefused }
        return HTTPResponse(status: status, headers: answer.headers, body: answer.body)
    }

    /// The error of a transfer that ended with this code.
    func transferError(_ code: CURLcode) -> TransferError {
        switch answer.fault {
        case .tooLarge: return .responseTooLarge
        case .malformed: return .malformedResponse
        case nil: break
        }
        switch code {
        case CURLE_OPERATION_TIMEDOUT: return requestBytes == 0 ? .connectTimedOut : .timedOut
        case CURLE_COULDNT_RESOLVE_HOST: return .resolveFailed
        case CURLE_COULDNT_CONNECT: return isAddressRefused ? .addressRefused : .connectFailed
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .tlsFailed
        // libcurl reports "out of memory" for a header line beyond its own limit.
        case CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY: return .responseTooLarge
        case CURLE_URL_MALFORMAT: return .invalidRequest("url")
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_ABORTED_BY_CALLBACK:
            guard requestBytes > 0 else { return .connectFailed }
            return status == 0 ? .connectionLost : .malformedResponse
        default: return .malformedResponse
        }
    }
}
