/// Decides which addresses may be called.
///
/// It is asked with the very address a socket is about to be opened for, after all names are resolved. So neither a DNS
/// answer that changes between check and use, nor an odd spelling of an address, nor a proxy of names gets past it.
package struct AddressGuard: Sendable, Equatable {
    /// Development, or a mail relay next door: loopback and private addresses are fine.
    package var allowsLocal: Bool
    /// Transfers without TLS may stay among local addresses only.
    package var requiresLocal: Bool

    package init(allowsLocal: Bool, requiresLocal: Bool = false) {
        self.allowsLocal = allowsLocal
        self.requiresLocal = requiresLocal
    }

    package func permits(_ address: NetworkAddress) -> Bool {
        switch address.scope {
        case .global: !requiresLocal
        case .loopback, .private: allowsLocal
        case .metadata, .special: false
        }
    }
}
