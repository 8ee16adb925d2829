import Synchronization
import Testing

@testable import Cryptography

@Suite("Places in the hashing queue")
struct HashingPlaceTests {
    private static let patience = Duration.seconds(60)

    @Test("D3: one network takes at most an eighth of the queue, and others find room")
    func share() async throws {
        let queue = HashingQueue(threads: 1, limit: 16)
        let own = [try await queue.place(for: "a", patience: .zero), try await queue.place(for: "a", patience: .zero)]
        await #expect(throws: PasswordHashError.busy) { try await queue.place(for: "a", patience: .zero) }
        var others: [HashingPlace] = []
        for number in 0..<7 {
            for _ in 0..<2 { others.append(try await queue.place(for: "other \(number)", patience: .zero)) }
        }
        // Work without a network, such as a command's, counts against none; with it, the whole queue is full.
        others.append(try await queue.place(for: nil, patience: .zero))
        await #expect(throws: PasswordHashError.busy) { try await queue.place(for: "new", patience: .zero) }
        own[0].leave()
        own[0].leave()
        _ = try await queue.place(for: "a", patience: .zero)
        withExtendedLifetime((own, others)) {}
    }

    @Test("D3: a small queue has a place for each network", arguments: [1, 7, 8])
    func leastShare(limit: Int) async throws {
        let queue = HashingQueue(threads: 2, limit: limit)
        let place = try await queue.place(for: "a", patience: .zero)
        await #expect(throws: PasswordHashError.busy) { try await queue.place(for: "a", patience: .zero) }
        withExtendedLifetime(place) {}
    }

    @Test("K3: a free place goes to the longest-waiting eligible request", .timeLimit(.minutes(1)))
    func turns() async throws {
        var places = HashingPlaces(limit: 8)
        places.threads = 1
        let told = Mutex<[String]>([])
        func wait(_ name: String, _ network: String) -> Int? {
            places.queue(network) { _ in told.withLock { $0.append(name) } }
        }
        func free(_ network: String) {
            for (_, answer) in places.free(network) { answer(.failure(.busy)) }
        }
        let taken = (0..<9).map { places.take(for: "network \($0)") }
        let tenth = places.take(for: "new")
        #expect(taken.allSatisfy { $0 } && !tenth)
        _ = wait("of a full network", "network 1")
        _ = wait("first", "new")
        let left = try #require(wait("left", "other"))
        _ = wait("second", "last")
        let (gone, again) = (places.leave(left), places.leave(left))
        #expect(gone != nil && again == nil)
        // One place is free, but the longest-waiting network still holds its share.
        free("network 0")
        #expect(told.withLock { $0 } == ["first"])
        free("network 1")
        #expect(told.withLock { $0 } == ["first", "of a full network"])
        free("network 2")
        #expect(told.withLock { $0 } == ["first", "of a full network", "second"])
    }

    @Test("K3: a waiting request gets a place, or is refused at its deadline", .timeLimit(.minutes(1)))
    func waiting() async throws {
        let queue = HashingQueue(threads: 1, limit: 8)
        let held = try await queue.place(for: "a", patience: .zero)
        let waiting = Task { try await queue.place(for: "a", patience: Self.patience) }
        await #expect(throws: PasswordHashError.busy) { try await queue.place(for: "a", patience: .milliseconds(1)) }
        held.leave()
        let place = try await waiting.value
        #expect(try await queue.run(in: place) { [1] } == [1])
        #expect(try await queue.run(in: place) { [2] } == [2], "a place is good for all that its holder hashes")
        await #expect(throws: PasswordHashError.busy) { try await queue.place(for: "a", patience: .zero) }
        place.leave()
        let next = try await queue.place(for: "a", patience: .zero)
        // An abandoned place is invalid, so the work takes a place without a network.
        #expect(try await queue.run(in: place) { [3] } == [3])
        withExtendedLifetime(next) {}
    }

    @Test("K4: memory limits the number of waiting requests, and one network leaves room for others")
    func boundedWaiting() {
        var places = HashingPlaces(limit: 8)
        func waits(_ network: String) -> Bool { places.queue(network) { _ in } != nil }
        let own = (0...HashingPlaces.mostWaitersOfNetwork).map { _ in waits("a") }
        #expect(own.count { $0 } == HashingPlaces.mostWaitersOfNetwork && own.last == false)
        let most = HashingPlaces.mostWaiters - HashingPlaces.mostWaitersOfNetwork
        let others = (0...most).map { waits("other \($0)") }
        #expect(others.count { $0 } == most && others.last == false)
        let told = places.close()
        #expect(told.count == HashingPlaces.mostWaiters)
        #expect(waits("a"))
    }

    @Test("after shutdown, no request waits", .timeLimit(.minutes(1)))
    func shutDown() async throws {
        let queue = HashingQueue(threads: 1, limit: 8)
        let held = try await queue.place(for: "a", patience: .zero)
        let waiting = Task { try await queue.place(for: "a", patience: Self.patience) }
        queue.shutDown()
        await #expect(throws: PasswordHashError.shutDown) { try await waiting.value }
        await #expect(throws: PasswordHashError.shutDown) { try await queue.place(for: "b", patience: .zero) }
        await #expect(throws: PasswordHashError.shutDown) { try await queue.run(in: held) { [] } }
    }
}
