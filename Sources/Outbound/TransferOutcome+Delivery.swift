import CCurl

extension TransferOutcome {
    /// The reason why a mail was not accepted; nil for an accepted one.
    package func deliveryError() -> DeliveryError? {
        switch end {
        case .finished(CURLE_OK): nil
        case .finished(let code): deliveryError(code)
        case .cancelled: .cancelled
        case .overloaded: .overloaded
        case .closed: .closed
        case .notStarted: .misconfigured("options")
        }
    }

    private func deliveryError(_ code: CURLcode) -> DeliveryError {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: .timedOut(mayHaveBeenDelivered: isUploadTaken)
        case CURLE_COULDNT_RESOLVE_HOST: .unreachable
        case CURLE_COULDNT_CONNECT: isAddressRefused ? .addressRefused : .unreachable
        case CURLE_USE_SSL_FAILED: .encryptionUnavailable
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .tlsFailed
        default: deliveryError(status: status, code)
        }
    }

    private func deliveryError(status: Int, _ code: CURLcode) -> DeliveryError {
        switch status {
        case 400..<500: .deferred(status: status)
        case _ where code == CURLE_LOGIN_DENIED: .authenticationFailed
        // RFC 4954 §6: the server requires a login, or a stronger one.
        case 530, 534, 535, 538: .notServed(status: status)
        // Refuses us and not the recipient: a blocked account or an unconfirmed sender.
        case 500..<600 where code == CURLE_SEND_ERROR && isSenderRefused: .notServed(status: status)
        // libcurl's code for a refusal of MAIL, RCPT or DATA; a taken upload indicates a refused message.
        case 500..<600 where code == CURLE_SEND_ERROR || isUploadTaken: .rejected(status: status)
        case 500..<600: .notServed(status: status)
        // The last answer was positive or absent, so the connection broke.
        default: .connectionLost(mayHaveBeenDelivered: isUploadTaken)
        }
    }

    /// libcurl has one code for MAIL, RCPT and DATA; only its message distinguishes them ("MAIL failed: 550").
    private var isSenderRefused: Bool { words.hasPrefix("MAIL failed") }
}
