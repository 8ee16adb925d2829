import Foundation
import TestSupport
import Testing

extension Gate {
    static let gateways = Gate(4, whileIdle: 12)
    /// For tests in suites that already hold a place.
    ///
    /// Three such suites that wait for a second place of the same kind would deadlock.
    static let furtherGateways = Gate(2)
    /// Gateways for browsers mostly wait for browsers, so other tests should not wait for them.
    static let browsedGateways = Gate(2, whileIdle: 3)
    /// More of them would slow each other, and all other tests, beyond their deadlines.
    static let browsers = Gate(2, whileIdle: 3)

    /// Runs `body` with a place, and writes how long the suite held it to the file `TEST_PLACES`.
    ///
    /// These seconds contain no waiting for other suites, unlike the durations of Swift Testing.
    nonisolated func holdForSuite<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await hold {
            let begun = ContinuousClock.now
            defer { Self.note(begun.duration(to: .now)) }
            return try await body()
        }
    }

    private static let places = ProcessInfo.processInfo.environment["TEST_PLACES"].flatMap { path in
        let file = FileHandle(forUpdatingAtPath: path)
        _ = try? file?.seekToEnd()
        return file
    }

    private static func note(_ held: Duration) {
        let parts = Test.current.map { "\($0.id)".split(separator: "/") } ?? []
        let suite = parts.prefix(while: { !$0.contains("(") }).joined(separator: "/")
        try? places?.write(contentsOf: Data("\(held / .seconds(1)) \(suite)\n".utf8))
    }
}
