import NIOCore

/// Makes a listening socket ignore new connections, so that its accept queue can be emptied before it closes.
///
/// Closing the socket would reset every queued connection together with its request. A packet filter drops new connection
/// requests first. Their clients retry after a second and are refused, so they can safely use another server.
enum ListenQueue {
    /// `struct sock_fprog` of Linux; the pointer leads to memory that is never freed.
    @safe private struct Program: @unchecked Sendable {
        let length: UInt16
        let instructions: UnsafeRawPointer
    }

    private static let attachFilter: NIOBSDSocket.Option = .init(rawValue: 26)  // SO_ATTACH_FILTER

    /// Drops segments with SYN and without ACK; the filter's data begin with the TCP header.
    private static let program: Program = {
        let instructions: [(code: UInt64, jumps: UInt64, constant: UInt64)] = [
            (0x30, 0x0000, 13),  // load the byte with the flags
            (0x54, 0x0000, 0x12),  // of them SYN and ACK
            (0x15, 0x0100, 0x02),  // SYN alone: go on; otherwise skip one
            (0x06, 0x0000, 0),  // drop
            (0x06, 0x0000, 0xFFFF_FFFF),  // keep
        ]
        let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: instructions.count)
        for (index, instruction) in instructions.enumerated() {
            unsafe memory[index] =
                (instruction.code | instruction.jumps << 16 | instruction.constant << 32).littleEndian
        }
        return unsafe Program(length: UInt16(instructions.count), instructions: UnsafeRawPointer(memory))
    }()

    /// Does nothing if the system has no such filter.
    static func close(_ listener: any Channel) async {
        guard let options = listener as? any SocketOptionProvider else { return }
        try? await options.unsafeSetSocketOption(level: .socket, name: attachFilter, value: program).get()
    }
}
