import Glibc
import Outbound
import Postgres

/// Whether the public host name has an address.
enum NameCheck {
    static func check(_ publicURL: String) -> DeploymentCheck {
        DeploymentCheck("DNS") {
            guard let host = try? OutboundURL(publicURL, allowsLocal: true).host else {
                return .failed("\(publicURL) has no host name", remedy: "Correct PUBLIC_URL.")
            }
            let addresses = await addresses(of: host)
            guard !addresses.isEmpty else {
                return .failed("\(host) has no address", remedy: "Add an A or AAAA record for \(host).")
            }
            return .passed("\(host) is \(addresses.joined(separator: ", "))")
        }
    }

    /// Blocks in a thread of its own, because the resolver may wait for seconds.
    private static func addresses(of host: String) async -> [String] {
        await withCheckedContinuation { continuation in
            let isStarted = DedicatedThread.start(name: "dns") { continuation.resume(returning: resolved(host)) }
            if !isStarted { continuation.resume(returning: []) }
        }
    }

    private static func resolved(_ host: String) -> [String] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [String] = []
        var next = unsafe first
        while let entry = unsafe next {
            if let text = unsafe numeric(entry.pointee), !addresses.contains(text) { addresses.append(text) }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    private static func numeric(_ entry: addrinfo) -> String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = unsafe getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
