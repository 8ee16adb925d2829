import COpenSSL
package import FoundationEssentials

extension Certificate {
    /// Whether a valid chain leads from this certificate over the others to an anchor at that moment (RFC 5280 §6).
    ///
    /// This certificate itself may be an anchor. Revocation is not checked. A factorable key ends the chain.
    package func isTrusted(by anchors: [Certificate], over intermediates: [Certificate], at now: Date) -> Bool {
        defer {
            withExtendedLifetime((anchors, intermediates)) {}
            ERR_clear_error()
        }
        guard ![[self], intermediates].joined().contains(where: \.isFactorable) else { return false }
        let anchors: [OpaquePointer?] = unsafe anchors.map { unsafe $0.pointer }
        let intermediates: [OpaquePointer?] = unsafe intermediates.map { unsafe $0.pointer }
        return unsafe copenssl_certificate_chain_is_good(
            pointer, intermediates, intermediates.count, anchors, anchors.count,
            Int64(now.timeIntervalSince1970.rounded(.down))) == 1
    }
}
