import Glibc
import Testing

@testable import Postgres

@Suite struct SecondSocketTests {
    /// The two ends of a connection.
    private func pair() throws -> [Int32] {
        var ends: [Int32] = [-1, -1]
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        try #require(result == 0)
        return ends
    }

    /// Whether the other end is closed; a starting child process may hold it a little longer.
    private func isOver(_ socket: Int32, within milliseconds: Int32 = 60_000) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, milliseconds) > 0 else { return false }
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, 0) == 0
    }

    @Test("it shuts down its own connection, even if the first descriptor's number was reused")
    func stranger() throws {
        let (ours, theirs) = (try pair(), try pair())
        defer { for descriptor in ours + theirs { close(descriptor) } }
        let second = try #require(SecondSocket(of: ours[0]))
        // In one step, the number is closed and given to another socket.
        #expect(dup2(theirs[0], ours[0]) == ours[0])
        second.breakOff()
        #expect(isOver(ours[1]))
        #expect(!isOver(theirs[1], within: 0))
    }

    @Test("it keeps the connection open exactly as long as it exists")
    func closed() throws {
        let ours = try pair()
        defer { close(ours[1]) }
        var second = SecondSocket(of: ours[0])
        close(ours[0])
        withExtendedLifetime(second) { #expect(!isOver(ours[1], within: 0)) }
        second = nil
        #expect(isOver(ours[1]))
    }
}
