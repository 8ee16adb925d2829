import CCurl
import Dispatch
import Glibc

/// A connection for bytes as they are, for requests that no correct client sends.
///
/// Addresses and certificates are checked as for every transfer. It speaks HTTP/1.1, and follows nothing.
package struct RawExchange: Sendable {
    private let url: OutboundURL
    /// How long the server may take to its first byte.
    private let patience: Duration
    /// How long it may pause after that.
    private static let silence = Duration.seconds(1)
    private let maximumBytes = 1 << 20
    private let caBundle: String?

    /// Local addresses are allowed, there also without TLS.
    ///
    /// - Parameters:
    ///   - url: the server; the path has no meaning.
    ///   - caBundle: a PEM file of certificate authorities to trust instead of the system's.
    /// - Throws: `.invalidRequest` or `.addressRefused`.
    package init(_ url: String, caBundle: String? = nil, patience: Duration = .seconds(60)) throws(TransferError) {
        self.url = try OutboundURL(url, allowsLocal: true)
        (self.caBundle, self.patience) = (caBundle, patience)
    }

    package var isEncrypted: Bool { url.isEncrypted }

    /// Whether the server is on this machine, by its literal address or as `localhost`, which libcurl never looks up.
    package var isLoopback: Bool {
        url.host == "localhost" || AddressLiteral.parse(url.host)?.scope == .loopback
    }

    /// The host and port, as `Host` has them.
    package var authority: String {
        url.port == (url.isEncrypted ? 443 : 80) ? url.host : "\(url.host):\(url.port)"
    }

    /// Opens a connection and sends the bytes.
    ///
    /// - Returns: all that the server sent until it closed or paused; empty if it closed without an answer.
    package func send(_ bytes: [UInt8]) async throws(TransferError) -> [UInt8] {
        let result = await withCheckedContinuation { continuation in
            // The calls block, so they need a thread that no task waits for.
            DispatchQueue.global().async { continuation.resume(returning: exchange(bytes)) }
        }
        return try result.get()
    }

    private func exchange(_ bytes: [UInt8]) -> Result<[UInt8], TransferError> {
        _ = TransferEngine.library
        guard let handle = EasyHandle() else { return .failure(.overloaded) }
        handle.prepare(for: ConnectionPlan(url: url, caBundle: caBundle, deadline: patience), transferID: 0)
        guard handle.isConfigured else { return .failure(.invalidRequest("options")) }
        let code = handle.connect()
        guard code == CURLE_OK else { return .failure(handle.takeOutcome(.finished(code)).transferError(code)) }
        handle.sendAll(bytes, patience: patience)
        return .success(handle.receiveAll(patience: patience, silence: Self.silence, atMost: maximumBytes))
    }
}

/// A connection without a request.
private struct ConnectionPlan: TransferPlan {
    let url: OutboundURL
    let caBundle: String?
    let deadline: Duration
    let upload: [UInt8]? = nil
    let hasHeaderFields = false
    let isRepeatable = false

    var limits: TransferLimits { TransferLimits(deadline: deadline, connectDeadline: deadline, maximumBytes: 0) }

    var addressGuard: AddressGuard { AddressGuard(allowsLocal: true, requiresLocal: !url.isEncrypted) }

    func apply(to handle: EasyHandle) {
        handle.set(CURLOPT_URL, url.text)
        handle.set(CURLOPT_PROTOCOLS_STR, url.isEncrypted ? "https" : "http")
        handle.set(CURLOPT_CONNECT_ONLY, 1)
        if let caBundle { handle.trustOnly(caBundle) }
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    }
}

extension EasyHandle {
    fileprivate func connect() -> CURLcode {
        unsafe curl_easy_perform(pointer)
    }

    /// Stops early if the server has closed: its answer may have arrived.
    fileprivate func sendAll(_ bytes: [UInt8], patience: Duration) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var count = 0
            let code = unsafe rest.withUnsafeBytes { unsafe curl_easy_send(pointer, $0.baseAddress, $0.count, &count) }
            if code == CURLE_AGAIN, waits(for: POLLOUT, atMost: patience) { continue }
            guard code == CURLE_OK else { return }
            rest = rest.dropFirst(count)
        }
    }

    fileprivate func receiveAll(patience: Duration, silence: Duration, atMost limit: Int) -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while received.count < limit {
            var count = 0
            let code = unsafe buffer.withUnsafeMutableBytes {
                unsafe curl_easy_recv(pointer, $0.baseAddress, $0.count, &count)
            }
            if code == CURLE_AGAIN, waits(for: POLLIN, atMost: received.isEmpty ? patience : silence) { continue }
            guard code == CURLE_OK, count > 0 else { break }
            received += buffer[..<count]
        }
        return received
    }

    /// False once the time is over.
    private func waits(for event: Int32, atMost time: Duration) -> Bool {
        var socket = curl_socket_t(CURL_SOCKET_BAD)
        guard unsafe ccurl_get_socket(pointer, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK else { return false }
        var descriptor = pollfd(fd: socket, events: Int16(event), revents: 0)
        return unsafe poll(&descriptor, 1, Int32(clamping: time.wholeMilliseconds)) > 0
    }
}
