package import Foundation

/// The clock of the library, which tests replace.
package struct TimeSource: Sendable {
    let now: @Sendable () -> Date
    let wait: @Sendable (Duration) async throws -> Void

    /// A clock with the time of `now`, and with the pauses of `wait`.
    package init(now: @escaping @Sendable () -> Date, wait: @escaping @Sendable (Duration) async throws -> Void) {
        (self.now, self.wait) = (now, wait)
    }

    static let system = TimeSource(now: { Date() }, wait: { try await Task.sleep(for: $0) })

    private static let grace: TimeInterval = 10
    private static let pauses = [0.5, 2]

    /// Repeats a call that may be repeated, for ten seconds, while no answer comes or the server is busy.
    func retrying<Answer: Sendable>(_ call: @Sendable () async throws -> Answer) async throws -> Answer {
        let begun = now()
        for pause in Self.pauses {
            do {
                return try await call()
            } catch let error as GatewayError {
                let isLate = now().timeIntervalSince(begun) + pause >= Self.grace
                guard error.mayPass, !isLate, Double(error.retryAfter ?? 0) <= pause else { throw error }
            }
            try await wait(.seconds(pause))
        }
        return try await call()
    }
}

extension GatewayError {
    /// Whether the same request may succeed a moment later.
    fileprivate var mayPass: Bool {
        switch self {
        case .unreachable: true
        case .refused(let problem): problem.status >= 500
        case .unreadableAnswer(let status): status >= 500
        default: false
        }
    }
}
