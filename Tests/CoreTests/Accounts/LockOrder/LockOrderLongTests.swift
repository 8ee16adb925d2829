import Testing

/// The rules of ``LockOrderTests`` for each function with every lock, and beside every other function.
@Suite("The order of locks, complete", .timeLimit(.minutes(10)))
struct LockOrderLongTests {
    @Test("no function that waits for any lock holds a later one")
    func order() async throws {
        try await LockOrderTests.expectOrder(every: 1)
    }

    @Test("no pair of all writing functions deadlocks")
    func pairs() async throws {
        try await LockOrderTests.expectNoDeadlock(every: 1)
    }
}
