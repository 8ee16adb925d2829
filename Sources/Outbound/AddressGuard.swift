/// Decides which addresses may be called.
///
/// It checks the final address of each socket, after all names are resolved. A DNS answer that changes after the check,
/// an odd spelling of an address, or a name proxy therefore cannot bypass it.
package struct AddressGuard: Sendable, Equatable {
    /// Allows loopback and private addresses, for development or a mail relay on the same network.
    package var allowsLocal: Bool
    /// Limits transfers without TLS to local addresses.
    var requiresLocal: Bool

    package init(allowsLocal: Bool, requiresLocal: Bool = false) {
        self.allowsLocal = allowsLocal
        self.requiresLocal = requiresLocal
    }

    package func permits(_ address: PeerAddress) -> Bool {
        switch address.scope {
        case .global: !requiresLocal
        case .loopback, .private: allowsLocal
        case .metadata, .special: false
        }
    }
}
