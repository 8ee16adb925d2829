import Foundation
import Synchronization

/// Networks from which providers were asked in vain too often, and until when none is asked for them.
///
/// The counting is the database's, for all servers together. What it came to is remembered here, so that who signs in
/// pays for no statement: of many servers each learns it by one request in vain.
final class ShutOutNetworks: Sendable {
    /// Beyond so many, those are forgotten whose time is over, and then all: they are as many requests in vain away.
    private static let most = 10_000

    private let ends = Mutex<[[UInt8]: Date]>([:])

    /// How long to wait, in seconds.
    ///
    /// Where a network's time is over one may try: the others wait for what becomes of it, or for the next turn.
    func wait(of networks: [Throttle], at now: Date) -> Double {
        ends.withLock { ends in
            let wait = networks.compactMap { ends[$0.bucket] }.map { $0.timeIntervalSince(now) }.max() ?? 0
            guard wait <= 0 else { return wait }
            for network in networks where ends[network.bucket] != nil {
                ends[network.bucket] = now.addingTimeInterval(Double(network.periodMilliseconds) / 1_000)
            }
            return 0
        }
    }

    /// - Parameter waits: how long each has to wait, in seconds, in the same order; 0 for one that need not.
    func shutOut(_ networks: [Throttle], for waits: [Double], at now: Date) {
        ends.withLock { ends in
            for (network, wait) in zip(networks, waits) where wait > 0 {
                ends[network.bucket] = now.addingTimeInterval(wait)
            }
            guard ends.count > Self.most else { return }
            ends = ends.filter { $0.value > now }
            if ends.count > Self.most { ends = [:] }
        }
    }

    /// Forgets them: somebody there is who they say.
    func letIn(_ networks: [Throttle]) {
        ends.withLock { ends in
            for network in networks { ends[network.bucket] = nil }
        }
    }
}
