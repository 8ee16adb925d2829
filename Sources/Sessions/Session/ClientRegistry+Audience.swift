package import Clients
package import Vocabulary

extension ClientRegistry {
    /// Requires the permission of the session's client; for administration, the session must have begun with it.
    ///
    /// - Throws: `audienceNotAllowed` if the client lacks the permission or is disabled.
    package func require(_ audience: Audience, of session: SessionSnapshot) throws(Rejection) {
        let audiences = client(session.facts.clientID)?.audiences(administers: session.administers) ?? []
        guard audiences.contains(audience) else { throw .audienceNotAllowed }
    }

    /// Whether the session's app has the gateway's own API: ``Client/usesOwnAPI``.
    package func usesOwnAPI(_ session: SessionSnapshot) -> Bool {
        client(session.facts.clientID)?.usesOwnAPI ?? false
    }
}
