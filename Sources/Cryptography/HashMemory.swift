import Glibc
import Synchronization

/// The memory for password hashes: mapped from the system in blocks, and kept for the next hash.
///
/// The allocator would keep blocks of 19 MiB in an arena of each hashing thread, so the process would grow for minutes
/// (K8). Here there are as many blocks as concurrent hashes. The library wipes a block before it releases it.
enum HashMemory {
    /// One block.
    ///
    /// `@unchecked Sendable`: a thread removes it from the list, and is its only user until it returns it.
    @safe struct Block: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
        let size: Int

        /// Maps a block; `nil` if the system refuses.
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

        func unmap() {
            _ = unsafe munmap(start, size)
        }
    }

    /// The limit of unused memory in bytes; more goes back to the system.
    static let maximumKept = 160 << 20

    private static let kept = Mutex<[Block]>([])

    /// Unused memory in bytes.
    static var keptBytes: Int { kept.withLock { $0.reduce(0) { $0 + $1.size } } }

    static func take(_ size: Int) -> Block? {
        let block = kept.withLock { blocks in
            blocks.lastIndex { $0.size == size }.map { blocks.remove(at: $0) }
        }
        return block ?? Block(size: size)
    }

    /// Above ``maximumKept`` the oldest blocks go back to the system, because imported hashes may need other sizes.
    static func keep(_ block: Block) {
        let surplus = kept.withLock { blocks in
            blocks.append(block)
            var (bytes, surplus) = (blocks.reduce(0) { $0 + $1.size }, [Block]())
            while bytes > maximumKept, let oldest = blocks.first {
                surplus.append(oldest)
                blocks.removeFirst()
                bytes -= oldest.size
            }
            return surplus
        }
        for block in surplus { block.unmap() }
    }
}
