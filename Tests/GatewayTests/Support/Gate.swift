import TestSupport

extension Gate {
    static let gateways = Gate(3)
    /// Those of tests whose suite holds a place already: waiting for a second one of the same kind, three such suites would
    /// wait for each other for ever.
    static let furtherGateways = Gate(2)
    /// Those that browsers visit wait for browsers most of the time: nobody else should wait for that.
    static let browsedGateways = Gate(2)
    /// More would keep each other, and everything beside them, from their deadlines.
    static let browsers = Gate(2)
}
