import Cryptography
package import Outbound
import Providers
import Synchronization
package import Vocabulary

/// Asks a range service whether a password was in a breach, by k-anonymity.
///
/// The service gets the first five hexadecimal digits of the password's SHA-1. It answers with the other 35 digits of each
/// known password and its count, one line each, as Have I Been Pwned does. Padding hides the number of lines.
package final class BreachedPasswords: Sendable {
    private let url: String
    private let upstream: Upstream
    private let ranges = Mutex<[String: Range]>([:])

    /// The answer for one prefix.
    private struct Range {
        let lines: String
        let end: ContinuousClock.Instant
    }

    private static let timeout = Duration.seconds(2)
    private static let mostBytes = 256 * 1_024
    private static let prefixLength = 5
    /// The seconds for which an answer is kept.
    private static let life = Duration.seconds(3_600)
    /// About 40 KB each.
    private static let mostRanges = 64

    /// - Parameter url: the address before the prefix, without a slash at its end.
    package init(url: String, transport: any HTTPTransport) {
        self.url = url
        upstream = Upstream(
            transport: GuardedTransport(transport), health: ProviderHealth(provider: .breachService),
            timeout: Self.timeout)
    }

    /// Whether the password was in a breach; false where the service gives no answer.
    ///
    /// An outage of the service must not stop sign-ups. The bundled list of common passwords always counts.
    package func contain(_ password: [UInt8]) async -> Bool {
        let digits = Hex.encode(SHA1.hash(password)).uppercased()
        let prefix = String(digits.prefix(Self.prefixLength))
        guard let lines = await lines(of: prefix) else { return false }
        return Self.count(of: digits.dropFirst(Self.prefixLength), in: lines) > 0
    }

    /// Refuses a password that was in a breach.
    ///
    /// Call it last, for a caller who has paid or proved: each new prefix costs a request.
    package func refuse(_ password: String) async throws(Rejection) {
        guard await !contain(PasswordPolicy.normalised(password)) else { throw .passwordCommon }
    }

    /// The count of a suffix; a padding line has the count 0.
    private static func count(of suffix: Substring, in lines: String) -> Int {
        for line in lines.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":")
            if parts.count == 2, parts[0].uppercased() == suffix { return Int(parts[1]) ?? 0 }
        }
        return 0
    }

    private func lines(of prefix: String) async -> String? {
        let now = upstream.now()
        if let known = ranges.withLock({ $0[prefix] }), known.end > now { return known.lines }
        let request = HTTPRequest(
            method: .get, url: "\(url)/\(prefix)", headers: [("Add-Padding", "true"), ("Accept", "text/plain")],
            maximumBytes: Self.mostBytes)
        guard let answer = try? await upstream.send(request, by: upstream.deadline()), answer.status == 200 else {
            return nil
        }
        let lines = String(decoding: answer.body, as: UTF8.self)
        ranges.withLock { ranges in
            if ranges.count >= Self.mostRanges { ranges.removeAll() }
            ranges[prefix] = Range(lines: lines, end: now + Self.life)
        }
        return lines
    }
}

extension ProviderID {
    /// The name of the range service in metrics.
    fileprivate static let breachService = ProviderID(known: "breach-service")
}
