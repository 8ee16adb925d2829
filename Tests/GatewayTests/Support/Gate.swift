import TestSupport

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
}
