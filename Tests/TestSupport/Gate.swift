/// Limits the number of concurrent tests of a kind, so that the machine can keep its deadlines.
package actor Gate {
    /// Tests with their own database.
    static let databases = Gate(6)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(_ free: Int) {
        self.free = free
    }

    package func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    package func leave() {
        guard waiting.isEmpty else {
            waiting.removeFirst().resume()
            return
        }
        free += 1
    }
}
