import Synchronization

/// Networks from which providers were asked in vain too often, and until when none is asked for them.
///
/// The counting is the database's, for all servers together. What it came to is remembered here, so that who signs in
/// pays for no statement: of many servers each learns it by one request in vain.
final class ShutOutNetworks: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// Beyond so many, those are forgotten whose time is over, and then all: they are as many requests in vain away.
    private static let most = 10_000

    private let ends = Mutex<[[UInt8]: Instant]>([:])

    /// How long to wait, in seconds.
    ///
    /// Where a network's time is over one may try: the others wait for what becomes of it, or for the next turn. One whose
    /// requests are all forgotten in the database is forgotten here.
    func wait(of networks: [Throttle], at now: Instant = .now) -> Double {
        ends.withLock { ends in
            guard !ends.isEmpty else { return 0 }
            for network in networks {
                if let end = ends[network.bucket], end + network.whole < now { ends[network.bucket] = nil }
            }
            let wait = networks.compactMap { ends[$0.bucket] }.map { now.duration(to: $0) }.max() ?? .zero
            guard wait <= .zero else { return wait / .seconds(1) }
            for network in networks where ends[network.bucket] != nil { ends[network.bucket] = now + network.period }
            return 0
        }
    }

    /// - Parameter waits: how long each has to wait, in seconds, in the same order; 0 for one that need not.
    func shutOut(_ networks: [Throttle], for waits: [Double], at now: Instant = .now) {
        ends.withLock { ends in
            for (network, wait) in zip(networks, waits) where wait > 0 {
                ends[network.bucket] = now + .seconds(wait)
            }
            guard ends.count > Self.most else { return }
            ends = ends.filter { $0.value > now }
            if ends.count > Self.most { ends = [:] }
        }
    }

    /// Lets the next one try at once, after one that told nothing about its network.
    func returnTurn(_ networks: [Throttle], at now: Instant = .now) {
        ends.withLock { ends in
            for network in networks where ends[network.bucket] != nil { ends[network.bucket] = now }
        }
    }

    /// Forgets them: somebody there is who they say.
    func letIn(_ networks: [Throttle]) {
        guard !networks.isEmpty else { return }
        ends.withLock { ends in
            for network in networks { ends[network.bucket] = nil }
        }
    }
}

extension Throttle {
    fileprivate var period: Duration { .milliseconds(periodMilliseconds) }
    /// How long a full bucket takes to be empty again.
    fileprivate var whole: Duration { period * burst }
}
