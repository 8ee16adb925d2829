/// Limits the number of concurrent tests of a kind, so that the machine can keep its deadlines.
///
/// Many tests wait for most of their time. So the gate admits further tests while the processors are idle.
package actor Gate {
    /// Tests with their own database.
    static let databases = Gate(6, whileIdle: 14)

    private let usual: Int
    private let most: Int
    /// The number of tests that it admits at present.
    private var width: Int
    private var inside = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isWatching = false

    /// - Parameters:
    ///   - usual: the number of tests on a busy machine.
    ///   - most: the number of tests while the processors are idle.
    package init(_ usual: Int, whileIdle most: Int? = nil) {
        (self.usual, self.most, width) = (usual, most ?? usual, usual)
    }

    /// Runs `body` with a place.
    package nonisolated func hold<Value>(_ body: () async throws -> Value) async throws -> Value {
        await enter()
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        await leave()
        return try outcome.get()
    }

    private func enter() async {
        guard inside >= width else {
            inside += 1
            return
        }
        watch()
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        inside -= 1
        if inside < width { admitNext() }
    }

    private func admitNext() {
        guard !waiting.isEmpty else { return }
        inside += 1
        waiting.removeFirst().resume()
    }

    /// Each second: one more test if the processors were idle for a fifth of it, one less if they were busy.
    private func watch() {
        guard most > usual, !isWatching else { return }
        isWatching = true
        Task {
            var before = ProcessorTimes.now
            while !waiting.isEmpty {
                try? await Task.sleep(for: .seconds(1))
                let now = ProcessorTimes.now
                adapt(to: now?.idleShare(since: before) ?? 0)
                before = now
            }
            isWatching = false
        }
    }

    private func adapt(to idle: Double) {
        if idle > 0.2, width < most {
            width += 1
            if inside < width { admitNext() }
        } else if idle < 0.05, width > usual {
            width -= 1
        }
    }
}
