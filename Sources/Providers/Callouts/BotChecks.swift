package import Cryptography
import JSON
package import Logging
import Metrics

/// The result of a bot check.
package enum BotVerdict: String, Sendable, CaseIterable {
    case passed, refused
    /// The service gives no usable answer, or does not know our keys.
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
    /// The faults that no caller causes: ours, and those of the service.
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
        let verdict = await ask(token, address).map { judge($0, hosts) } ?? .unavailable
        Counter(label: "bot_checks_total", dimensions: [("outcome", verdict.rawValue)]).increment()
        return verdict
    }

    /// Nil without a usable answer, which is logged.
    private func ask(_ token: String, _ address: String) async -> JSONObject? {
        var request = HTTPRequest.form(
            url, [("secret", secret.revealedText), ("response", token), ("remoteip", address)],
            headers: [("Accept", "application/json")])
        request.maximumBytes = Self.mostBytes
        do {
            let answer = try await upstream.send(request, by: upstream.deadline())
            if let object = Upstream.object(in: answer, maximumBytes: Self.mostBytes) { return object }
            logger.warning("the bot check service gives no usable answer", metadata: ["status": "\(answer.status)"])
        } catch {
            logger.warning("the bot check service gives no answer", metadata: ["reason": "\(error)"])
        }
        return nil
    }

    private func judge(_ answer: JSONObject, _ hosts: Set<String>) -> BotVerdict {
        guard answer["success"]?.bool == true else {
            let faults = Set(answer["error-codes"]?.array?.compactMap(\.string) ?? [])
            guard let fault = faults.intersection(Self.technicalFaults).min() else { return .refused }
            logger.error("the bot check service can't check a token", metadata: ["fault": "\(fault)"])
            return .unavailable
        }
        // A token of another site's page: its visitors could be made to solve checks for a bot.
        if let host = answer["hostname"]?.string, !hosts.contains(host.lowercased()) { return .refused }
        return .passed
    }
}
