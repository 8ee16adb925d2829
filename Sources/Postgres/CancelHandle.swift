import CPostgres

/// Owns a `PGcancel`: what is needed to ask the server to stop what a connection is doing.
@safe final class CancelHandle: @unchecked Sendable {
    // Sendable: a PGcancel never changes, and libpq's manual allows PQcancel from any thread ("PQcancel … is thread-safe").
    private let raw: OpaquePointer

    init?(_ connection: borrowing ConnectionHandle) {
        guard let raw = unsafe PQgetCancel(connection.raw) else { return nil }
        unsafe self.raw = raw
    }

    deinit {
        unsafe PQfreeCancel(raw)
    }

    /// Opens a connection of its own, so it may block as long as connecting may.
    func cancel() {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            _ = unsafe PQcancel(raw, buffer.baseAddress, 256)
        }
    }
}
