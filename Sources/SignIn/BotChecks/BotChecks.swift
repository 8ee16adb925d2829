package import Cryptography
import JSON
package import Logging
import Metrics
package import Outbound
import Providers

/// The result of a bot check.
package enum BotVerdict: String, Sendable, CaseIterable {
    case passed
    /// Also for every answer that the caller's text may have caused.
    case refused
    /// The service gives no answer in time, or states that it failed (5xx).
    case unavailable
}

/// Checks the tokens of a bot check service, in the `siteverify` format of Turnstile, hCaptcha and reCAPTCHA.
///
/// The service gets the secret, the token and the caller's address. It accepts each token once.
package struct BotChecks: Sendable {
    private let url: String
    private let secret: Secret
    private let upstream: Upstream
    private let logger: Logger

    private static let timeout = Duration.seconds(3)
    private static let mostBytes = 16_384
    /// The faults of our settings or of the service, which an operator learns.
    ///
    /// The check fails nevertheless: a token of the caller's choice may cause some of them.
    private static let technicalFaults: Set<String> = [
        "missing-input-secret", "invalid-input-secret", "sitekey-secret-mismatch", "internal-error",
    ]

    /// - Parameter url: the address that checks tokens.
    package init(url: String, secret: Secret, transport: any HTTPTransport, logger: Logger) {
        (self.url, self.secret, self.logger) = (url, secret, logger)
        upstream = Upstream(
            transport: transport, health: ProviderHealth(provider: .botCheckService), timeout: Self.timeout)
    }

    /// - Parameters:
    ///   - token: the widget's answer.
    ///   - address: the caller's IP address.
    ///   - hosts: the hosts of the pages that may show the widget.
    package func verdict(on token: String, from address: String, hosts: Set<String>) async -> BotVerdict {
        let verdict = await ask(token, address, hosts)
        Counter(label: "bot_checks_total", dimensions: [("outcome", verdict.rawValue)]).increment()
        return verdict
    }

    private func ask(_ token: String, _ address: String, _ hosts: Set<String>) async -> BotVerdict {
        var request = HTTPRequest.form(
            url, [("secret", secret.revealedText), ("response", token), ("remoteip", address)],
            headers: [("Accept", "application/json")])
        request.maximumBytes = Self.mostBytes
        do {
            switch try await upstream.attempt(request, by: upstream.deadline()) {
            case .success(let answer): return judge(answer, hosts)
            case .failure(let error):
                let failure = upstream.failure(error)
                logger.warning("the bot check service gives no answer", metadata: ["reason": "\(failure)"])
                return error.isOutage ? .unavailable : .refused
            }
        } catch {
            logger.warning("the bot check service gives no answer", metadata: ["reason": "\(error)"])
            return .unavailable
        }
    }

    private func judge(_ response: HTTPResponse, _ hosts: Set<String>) -> BotVerdict {
        _ = try? upstream.judged(response)
        if response.status < 500, let answer = Upstream.object(in: response, maximumBytes: Self.mostBytes) {
            let verdict = judge(answer, hosts)
            return response.status < 300 ? verdict : .refused
        }
        logger.warning("the bot check service gives no usable answer", metadata: ["status": "\(response.status)"])
        return response.status < 500 ? .refused : .unavailable
    }

    private func judge(_ answer: JSONObject, _ hosts: Set<String>) -> BotVerdict {
        guard answer["success"]?.bool == true else {
            let faults = Set(answer["error-codes"]?.array?.compactMap(\.string) ?? [])
            if let fault = faults.intersection(Self.technicalFaults).min() {
                logger.error("the bot check service can't check a token", metadata: ["fault": "\(fault)"])
            }
            return .refused
        }
        // A token of another site's page: its visitors could be made to solve checks for a bot.
        if let host = answer["hostname"]?.string, !hosts.contains(host.lowercased()) { return .refused }
        return .passed
    }
}

extension TransferError {
    /// Whether the service was not reached or did not answer in time.
    ///
    /// The text of a request can cause the other errors.
    fileprivate var isOutage: Bool {
        switch self {
        case .timedOut, .connectTimedOut, .connectFailed, .tlsFailed, .resolveFailed, .circuitOpen, .cancelled, .closed:
            true
        case .connectionLost, .addressRefused, .redirectRefused, .responseTooLarge, .malformedResponse, .invalidRequest,
            .overloaded:
            false
        }
    }
}

extension ProviderID {
    /// The name of the bot check service in metrics.
    fileprivate static let botCheckService = ProviderID(known: "bot-check-service")
}
