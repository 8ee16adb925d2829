import NIOCore
import Settings
import Synchronization

/// Limits the open connections of one peer, so that none can use up all of them (F10).
///
/// An IPv6 client can use any address of a /64, so a /64 counts as one peer. Trusted proxies are exempt, because their
/// clients are unknown before a request.
final class PeerLimit: Sendable {
    private let limit: Int
    private let proxies: ForwardedClient?
    private let onRefusal: @Sendable () -> Void
    private let counts = Mutex<[NetworkAddress: Int]>([:])

    /// - Parameters:
    ///   - limit: connections per peer.
    ///   - proxies: the exempt peers.
    ///   - onRefusal: called for each refused connection.
    init(limit: Int, proxies: ForwardedClient? = nil, onRefusal: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.proxies = proxies
        self.onRefusal = onRefusal
    }

    /// The number of peers with a connection.
    var count: Int { counts.withLock { $0.count } }

    /// Counts a connection until it closes; false, without counting, above the limit.
    func admit(_ channel: any Channel) -> Bool {
        guard let text = channel.remoteAddress?.ipAddress, let address = NetworkAddress(text),
            proxies?.isProxy(text) != true
        else { return true }
        let peer = address.keeping(bits: address.version4 == nil ? 64 : 128)
        guard enter(peer) else {
            onRefusal()
            return false
        }
        channel.closeFuture.whenComplete { [self] _ in leave(peer) }
        return true
    }

    private func enter(_ peer: NetworkAddress) -> Bool {
        counts.withLock { counts in
            let count = counts[peer, default: 0]
            guard count < limit else { return false }
            counts[peer] = count + 1
            return true
        }
    }

    private func leave(_ peer: NetworkAddress) {
        counts.withLock { counts in
            let rest = counts[peer, default: 1] - 1
            counts[peer] = rest > 0 ? rest : nil
        }
    }
}
