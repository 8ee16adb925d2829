import COpenSSL
package import FoundationEssentials

extension Certificate {
    /// Whether a chain leads from this certificate over some of the others to one of the anchors, all of them valid at that
    /// moment (RFC 5280 §6).
    ///
    /// An anchor may be this certificate itself. Revocation is not asked for. A key that can be factored ends the chain.
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
