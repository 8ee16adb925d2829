import Synchronization

/// The clients to which Apple has sent a user's name: it does so once, and again after the user was forgotten.
final class Introductions: Sendable {
    private let made = Mutex<[String: Set<String>]>([:])

    func isFirst(of subject: String, to client: String) -> Bool {
        made.withLock { $0[client, default: []].insert(subject).inserted }
    }

    func forget(_ subject: String, to client: String) {
        _ = made.withLock { $0[client]?.remove(subject) }
    }

    func reset() {
        made.withLock { $0 = [:] }
    }
}
