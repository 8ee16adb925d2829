/// The settings of outbound connections.
package struct OutboundConfiguration: Sendable {
    /// Development only: allows requests to loopback and private addresses, there also without TLS.
    package var insecureAllowLocal: Bool
    /// Requests beyond this number fail with ``TransferError/overloaded`` at once.
    package var maximumInFlight: Int
    /// A PEM file of certificate authorities to trust instead of the system's.
    package var caBundle: String?

    package init(
        insecureAllowLocal: Bool = false,
        maximumInFlight: Int = 256,
        caBundle: String? = nil
    ) {
        self.insecureAllowLocal = insecureAllowLocal
        self.maximumInFlight = maximumInFlight
        self.caBundle = caBundle
    }
}
