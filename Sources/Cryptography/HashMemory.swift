import Glibc
import Synchronization

/// The memory in which password hashes are computed: taken from the system in whole, and kept for the next hash.
///
/// From the allocator, each hashing thread's blocks of 19 MiB would stay in an arena of its own, now and then two of them
/// side by side, so that the process grows for minutes (K8). Here there are as many as hashes run at once. The library
/// wipes a block before it gives it back.
enum HashMemory {
    /// One block; `@unchecked Sendable`: one thread takes it out of the list, and no other has it until it is put back.
    @safe struct Block: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
        let size: Int

        /// Asks the system; `nil` where it has none.
        init?(size: Int) {
            let start = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let start = unsafe start, unsafe start != MAP_FAILED else { return nil }
            unsafe self.start = start
            self.size = size
        }

        init(start: UnsafeMutableRawPointer, size: Int) {
            unsafe self.start = start
            self.size = size
        }

        func giveBack() {
            _ = unsafe munmap(start, size)
        }
    }

    /// Bytes that are kept while nobody uses them; what comes beyond goes back to the system.
    static let mostKept = 160 << 20

    private static let kept = Mutex<[Block]>([])

    /// Bytes that are kept now.
    static var keptBytes: Int { kept.withLock { $0.reduce(0) { $0 + $1.size } } }

    static func take(_ size: Int) -> Block? {
        let block = kept.withLock { blocks in
            blocks.lastIndex { $0.size == size }.map { blocks.remove(at: $0) }
        }
        return block ?? Block(size: size)
    }

    /// Beyond ``mostKept`` the oldest blocks go back to the system: hashes from elsewhere may need other sizes.
    static func keep(_ block: Block) {
        let surplus = kept.withLock { blocks in
            blocks.append(block)
            var (bytes, surplus) = (blocks.reduce(0) { $0 + $1.size }, [Block]())
            while bytes > mostKept, let oldest = blocks.first {
                surplus.append(oldest)
                blocks.removeFirst()
                bytes -= oldest.size
            }
            return surplus
        }
        for block in surplus { block.giveBack() }
    }
}
