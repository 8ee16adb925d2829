/// Limits the number of concurrent tests of a kind, so that the machine can keep its deadlines.
///
/// Many tests wait for most of their time. So the gate admits further tests while the processors are idle.
package actor Gate {
    /// Tests with their own database.
    static let databases = Gate(6, whileIdle: 10)

    private let usual: Int
    private let most: Int
    private var inside = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isWatching = false

    /// - Parameters:
    ///   - usual: the number of tests on a busy machine.
    ///   - most: the number of tests while the processors are idle.
    package init(_ usual: Int, whileIdle most: Int? = nil) {
        (self.usual, self.most) = (usual, most ?? usual)
    }

    package func enter() async {
        guard inside >= usual else {
            inside += 1
            return
        }
        watch()
        await withCheckedContinuation { waiting.append($0) }
    }

    package func leave() {
        inside -= 1
        if inside < usual { admitNext() }
    }

    private func admitNext() {
        guard !waiting.isEmpty else { return }
        inside += 1
        waiting.removeFirst().resume()
    }

    /// Admits one more test for each second in which the processors were idle for a third of their time.
    private func watch() {
        guard most > usual, !isWatching else { return }
        isWatching = true
        Task {
            var before = ProcessorTimes.now
            while !waiting.isEmpty {
                try? await Task.sleep(for: .seconds(1))
                let now = ProcessorTimes.now
                if let idle = now?.idleShare(since: before), idle > 1.0 / 3, inside < most { admitNext() }
                before = now
            }
            isWatching = false
        }
    }
}
