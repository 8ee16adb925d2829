import COpenSSL

/// A value that is never printed, encoded or mirrored.
///
/// It is compared in constant time, and wiped after its last use.
///
/// A revealed value is an unprotected copy: reveal it at the last moment, and do not store it.
package struct Secret: Sendable {
    private let memory: SecretMemory

    package init(_ bytes: [UInt8]) {
        memory = SecretMemory(copying: bytes)
    }

    package init(_ text: String) {
        self.init(Array(text.utf8))
    }

    package var revealed: [UInt8] { memory.copy() }

    /// The bytes as UTF-8.
    package var revealedText: String { String(decoding: revealed, as: UTF8.self) }

    package var isEmpty: Bool { memory.count == 0 }
}

extension Secret: Equatable {
    package static func == (a: Secret, b: Secret) -> Bool {
        a.memory.isEqual(to: b.memory)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "•••" }
    package var debugDescription: String { "•••" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

/// Owns the bytes of a secret and wipes them.
///
/// `@unchecked Sendable`: only `init` writes the memory, and `deinit` runs when no other reference is left.
@safe private final class SecretMemory: @unchecked Sendable {
    private let buffer: UnsafeMutableBufferPointer<UInt8>

    init(copying bytes: [UInt8]) {
        unsafe buffer = .allocate(capacity: bytes.count)
        _ = unsafe buffer.initialize(fromContentsOf: bytes)
    }

    var count: Int { unsafe buffer.count }

    func copy() -> [UInt8] { unsafe Array(buffer) }

    func isEqual(to other: SecretMemory) -> Bool {
        guard count == other.count, count > 0 else { return count == other.count }
        return unsafe CRYPTO_memcmp(buffer.baseAddress, other.buffer.baseAddress, count) == 0
    }

    deinit {
        unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
        unsafe buffer.deallocate()
    }
}
