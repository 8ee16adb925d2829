import FoundationEssentials
import Synchronization
import Testing

@testable import Cryptography

@Suite("Password hasher")
struct PasswordHasherTests {
    /// The minimum that Argon2 accepts, because these tests are about threads and queues.
    private static let cheap = Argon2Parameters(memoryKiB: 8, passes: 1, lanes: 1)
    private static let password = Array("correct horse".utf8)

    @Test("a password matches only its own hash")
    func matching() async throws {
        let hasher = PasswordHasher(parameters: Self.cheap, threads: 1, queueLimit: 4)
        let encoded = try await hasher.hash(Self.password)
        #expect(encoded.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
        #expect(try await hasher.verify(Self.password, against: encoded) == .yes)
        #expect(try await hasher.verify(Self.password + [0], against: encoded) == .no)
        #expect(try await hasher.verify([], against: encoded) == .no)
        #expect(try await hasher.hash(Self.password) != encoded)
        try await hasher.verifyNothing(Self.password)
    }

    @Test("a hash with other parameters needs a new hash")
    func rehash() async throws {
        let old = PasswordHasher(parameters: Self.cheap, threads: 1, queueLimit: 4)
        let new = PasswordHasher(
            parameters: Argon2Parameters(memoryKiB: 16, passes: 1, lanes: 1), threads: 1, queueLimit: 4)
        let encoded = try await old.hash(Self.password)
        #expect(try await new.verify(Self.password, against: encoded) == .yesNeedsRehash)
        #expect(try await new.verify([1], against: encoded) == .no)
    }

    @Test("the standard parameters are 19 MiB, two passes, one lane")
    func standard() async throws {
        let encoded = try await PasswordHasher(threads: 1, queueLimit: 1).hash(Self.password)
        #expect(encoded.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    }

    @Test("P-04: the threads have a name and the priority of the threads that share their locks")
    func priority() async throws {
        let queue = HashingQueue(threads: 1, limit: 1)
        let stat = try await queue.run {
            Array((try? Data(contentsOf: URL(filePath: "/proc/thread-self/stat"))) ?? Data())
        }
        let (name, nice) = try Self.nameAndNice(stat)
        #expect(name.hasSuffix("(password-hash"))
        #expect(nice == (try Self.nameAndNice(Array(Data(contentsOf: URL(filePath: "/proc/self/stat")))).nice))
    }

    /// proc_pid_stat(5): the name in parentheses, then fields from the third on; the nice value is the nineteenth.
    private static func nameAndNice(_ stat: [UInt8]) throws -> (name: Substring, nice: Int) {
        let parts = String(decoding: stat, as: UTF8.self).split(separator: ")")
        try #require(parts.count == 2)
        return (parts[0], try #require(Int(parts[1].split(separator: " ")[19 - 3])))
    }

    @Test("P-04: beyond threads and queue, every request is refused at once as busy")
    func bounded() async throws {
        let gate = Gate()
        let queue = HashingQueue(threads: 2, limit: 3)
        let accepted = (0..<5).map { _ in Task { try await queue.run { gate.wait() } } }
        await gate.waitUntilEntered(2)
        while queue.depth < 3 { await Task.yield() }
        for _ in 0..<500 {
            await #expect(throws: PasswordHashError.busy) { try await queue.run { [] } }
        }
        gate.open()
        for task in accepted {
            #expect(try await task.value == [1])
        }
        #expect(queue.depth == 0)
        #expect(try await queue.run { [2] } == [2])
    }

    /// Whether the system can start threads.
    private final class Supply: Sendable {
        let isThere = Mutex(false)
    }

    @Test(
        "P-04: without a thread from the system, requests are refused as busy, and the next one tries again",
        .timeLimit(.minutes(1)))
    func noThread() async throws {
        let supply = Supply()
        let queue = HashingQueue(threads: 1, limit: 1) { queue in
            let isThere = supply.isThere.withLock { $0 }
            return isThere && queue.startThread()
        }
        for _ in 0..<3 {
            await #expect(throws: PasswordHashError.busy) { try await queue.run { [] } }
        }
        #expect(queue.depth == 0)
        supply.isThere.withLock { $0 = true }
        #expect(try await queue.run { [2] } == [2])
        queue.shutDown()
    }

    @Test("P-04: a cancelled caller keeps its place until its work is done")
    func cancellation() async throws {
        let gate = Gate()
        let queue = HashingQueue(threads: 1, limit: 1)
        let running = Task { try await queue.run { gate.wait() } }
        await gate.waitUntilEntered(1)
        let waiting = Task { try await queue.run { [3] } }
        while queue.depth < 1 { await Task.yield() }
        running.cancel()
        waiting.cancel()
        #expect(queue.depth == 1)
        await #expect(throws: PasswordHashError.busy) { try await queue.run { [] } }
        gate.open()
        #expect(try await running.value == [1])
        #expect(try await waiting.value == [3])
    }

    @Test("after shutdown, waiting and new work is refused, and running work finishes")
    func shutdown() async throws {
        let gate = Gate()
        let queue = HashingQueue(threads: 1, limit: 1)
        let running = Task { try await queue.run { gate.wait() } }
        await gate.waitUntilEntered(1)
        let waiting = Task { try await queue.run { [3] } }
        while queue.depth < 1 { await Task.yield() }
        queue.shutDown()
        await #expect(throws: PasswordHashError.shutDown) { try await waiting.value }
        await #expect(throws: PasswordHashError.shutDown) { try await queue.run { [] } }
        gate.open()
        #expect(try await running.value == [1])

        let hasher = PasswordHasher(parameters: Self.cheap, threads: 1, queueLimit: 1)
        hasher.shutdown()
        await #expect(throws: PasswordHashError.shutDown) { try await hasher.hash(Self.password) }
    }
}
