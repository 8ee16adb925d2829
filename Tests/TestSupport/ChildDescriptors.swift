import Glibc
import Synchronization

/// An unnamed file for a program's output.
final class NamelessFile: Sendable {
    let descriptor: Int32

    init() throws {
        let path = "/tmp/gateway-test-\(String(UInt64.random(in: .min ... .max), radix: 36)).output"
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HarnessError("\(path) can't be made: error \(errno).") }
        unsafe unlink(path)
    }

    deinit { Glibc.close(descriptor) }

    /// The output so far.
    var bytes: [UInt8] {
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0 else { return [] }
        let size = Int(information.st_size)
        // An empty array has no memory of its own, so nothing may be written to it.
        guard size > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            // The program continues to write at its own position.
            count = unsafe max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
    }
}

/// The two ends of a program's standard input.
///
/// It is a socket, because writing to a pipe without a reader raises SIGPIPE, which kills the writer.
final class ChildInput: Sendable {
    let theirs: Int32
    private let ours: Mutex<Int32?>

    init() throws {
        var pair: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw HarnessError("There is no socket to be had: error \(errno).")
        }
        theirs = pair[0]
        ours = Mutex(pair[1])
    }

    deinit { close() }

    func closeTheirs() { Glibc.close(theirs) }

    func write(_ bytes: [UInt8]) {
        ours.withLock { descriptor in
            guard let descriptor else { return }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 || errno == EINTR else { return }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }

    func close() {
        ours.withLock { descriptor in
            if let open = descriptor { Glibc.close(open) }
            descriptor = nil
        }
    }
}
