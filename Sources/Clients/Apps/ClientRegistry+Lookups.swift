import Synchronization

/// What front doors and services ask the registry.
extension ClientRegistry {
    /// Returns the client with that id, or with a document at that address, unless it is unknown or disabled.
    package func client(_ id: String) -> Client? { held.withLock { $0.clients[id] ?? $0.documents[id] } }

    /// Returns the client with that Cognito app client, unless it is unknown or disabled.
    package func cognitoClient(_ id: String) -> Client? { held.withLock { $0.cognitoApps[id] } }

    /// Returns the client with that application of native authentication, unless it is unknown or disabled.
    package func nativeClient(_ id: String) -> Client? { held.withLock { $0.nativeApps[id.lowercased()] } }

    /// The application of native authentication with that tenant; nil for an unknown tenant.
    package func nativeTenant(_ segment: String) -> NativeAuthApp? {
        held.withLock { held in
            held.nativeApps.values.lazy.compactMap(\.dialects.nativeAuth).first { $0.isTenant(segment) }
        }
    }

    /// The clients with this Cognito user pool.
    package func apps(inPool id: String) -> [Client] {
        held.withLock { $0.cognitoApps.values.filter { $0.dialects.cognito?.poolID == id } }
    }

    /// The clients with an application in that tenant of native authentication; empty for an unknown tenant.
    package func apps(inTenant segment: String) -> [Client] {
        held.withLock { $0.nativeApps.values.filter { $0.dialects.nativeAuth?.isTenant(segment) == true } }
    }

    /// The ids of the clients with refresh tokens that a refresh at this door keeps.
    ///
    /// A refresh need not name its client, so the statement finds it among these.
    package func withRelaxedRotation(at dialect: TokenDialect) -> [String] {
        held.withLock { $0.relaxed[dialect] ?? [] }
    }

    /// The resources of all clients.
    package var resources: ResourceCatalogue { held.withLock { $0.resources } }

    /// Whether any client may get assertions for another authorization server.
    package var hasAssertionAudiences: Bool {
        held.withLock { $0.clients.values.contains { !$0.openID.assertionAudiences.isEmpty } }
    }

    /// Whether any client has bound access tokens only.
    package var bindsTokens: Bool { held.withLock { $0.bindsTokens } }

    /// Whether any client asks to be told of sign-outs.
    package var wantsLogoutNotices: Bool { held.withLock { $0.wantsLogoutNotices } }

    /// Whether any client takes calls of this browser origin.
    package func allows(origin: String) -> Bool { audiences(of: origin) != nil }

    /// Whether a client with this origin may call this path.
    package func allows(origin: String, path: String) -> Bool {
        guard let audiences = audiences(of: origin) else { return false }
        return Audience(path: path).map(audiences.contains) ?? true
    }

    private func audiences(of origin: String) -> Set<Audience>? {
        if let registered = held.withLock({ $0.origins[origin] }) { return registered }
        return takesLocalOrigins && LocalOrigin.matches(origin) ? [.account] : nil
    }

    /// The clients with apps that open links of the gateway, by id.
    package var linked: [Client] {
        held.withLock { $0.clients.values.filter(\.hasLink) }.sorted { $0.id < $1.id }
    }

    /// The first client by id with the device flow.
    package var firstWithDevices: Client? {
        held.withLock { $0.clients.values.filter(\.usesDeviceFlow) }.min { $0.id < $1.id }
    }
}
