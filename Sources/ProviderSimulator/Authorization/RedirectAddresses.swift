import JSON
import Synchronization

/// The redirect addresses of a provider's clients: exactly the registered ones.
///
/// Every client starts with a gateway's callback for this provider on this machine, on any port. This is the only point
/// where the simulator is laxer than the real providers, of which Apple does not accept localhost.
final class RedirectAddresses: Sendable {
    private let provider: ProviderName
    private let added = Mutex<[String: [String]]>([:])

    init(of provider: ProviderName) {
        self.provider = provider
    }

    func add(_ address: String, for client: String) {
        added.withLock { $0[client, default: []].append(address) }
    }

    func accepts(_ address: String, for client: String) -> Bool {
        let known = added.withLock { $0[client] ?? [] }
        return isLocalCallback(address) || known.contains(where: address.hasSameBytes)
    }

    func reset() {
        added.withLock { $0 = [:] }
    }

    private func isLocalCallback(_ address: String) -> Bool {
        let origins = ["http://localhost:", "http://127.0.0.1:", "https://localhost:"]
        guard let origin = origins.first(where: { address.utf8.starts(with: $0.utf8) }) else { return false }
        let rest = address.utf8.dropFirst(origin.utf8.count)
        let port = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let number = UInt16(String(decoding: port, as: UTF8.self)), number > 0, port.first != UInt8(ascii: "0")
        else { return false }
        return rest.dropFirst(port.count).elementsEqual("/login/\(provider.rawValue)/callback".utf8)
    }
}
