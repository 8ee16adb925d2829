import Glibc

/// A loopback listener on its own port.
struct TestListener: Sendable {
    let descriptor: Int32
    let port: Int

    init() {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, size) = (descriptor, length)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = unsafe bind(listener, generic, size)
                _ = listen(listener, 128)
                _ = unsafe getsockname(listener, generic, &length)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Nil after the listener is closed.
    func accept() -> TestConnection? {
        let descriptor = Glibc.accept(descriptor, nil, nil)
        return descriptor < 0 ? nil : TestConnection(descriptor: descriptor)
    }

    func stop() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    func close() {
        _ = Glibc.close(descriptor)
    }
}

/// One accepted connection; only ``stop()`` may be called from another thread than the accepting one.
struct TestConnection: Sendable {
    let descriptor: Int32

    /// Empty after the peer closes or the server stops.
    func receive() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(0, count)))
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let piece = Array(bytes[sent...])
            let count = unsafe Glibc.send(descriptor, piece, piece.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Reads and discards until the peer disconnects.
    func waitForPeerToLeave() {
        while !receive().isEmpty {}
    }

    func stop() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
