import Sessions
import Synchronization

/// Networks that caused too many failed requests to providers, and the end of each block.
///
/// The database counts for all servers. Each server remembers the result here, so that a sign-in needs no statement for
/// it. A server learns of a block by one failed request.
final class BlockedNetworks: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The greatest number of entries: beyond it expired ones are dropped, then all.
    ///
    /// Failed requests bring them back.
    private static let most = 10_000

    private let ends = Mutex<[[UInt8]: Instant]>([:])

    /// The time to wait, in seconds.
    ///
    /// After a block one request may try. The others wait for its result or for the next turn. A network with a full
    /// bucket in the database is dropped.
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

    /// - Parameter waits: the block of each network, in seconds and in the same order; 0 for none.
    func block(_ networks: [Throttle], for waits: [Double], at now: Instant = .now) {
        ends.withLock { ends in
            for (network, wait) in zip(networks, waits) where wait > 0 {
                ends[network.bucket] = now + .seconds(wait)
            }
            guard ends.count > Self.most else { return }
            ends = ends.filter { $0.value > now }
            if ends.count > Self.most { ends = [:] }
        }
    }

    /// Lets the next request try at once, because the last one failed by a fault of this server.
    func returnTurn(_ networks: [Throttle], at now: Instant = .now) {
        ends.withLock { ends in
            for network in networks where ends[network.bucket] != nil { ends[network.bucket] = now }
        }
    }

    /// Ends the blocks after a successful sign-in.
    func unblock(_ networks: [Throttle]) {
        guard !networks.isEmpty else { return }
        ends.withLock { ends in
            for network in networks { ends[network.bucket] = nil }
        }
    }
}

extension Throttle {
    fileprivate var period: Duration { .milliseconds(periodMilliseconds) }
    /// The time until a full bucket is empty.
    fileprivate var whole: Duration { period * burst }
}
