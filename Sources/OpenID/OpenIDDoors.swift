package import Accounts
package import Authorization
import Clients
package import HTTPServer
package import Pages
package import Sessions
package import SignIn

/// The doors of OAuth 2.0 and OpenID Connect, for relying parties.
package enum OpenIDDoors {
    /// - Parameters:
    ///   - readyKeys: creates and loads the RSA keys of ID tokens.
    ///   - raise: asks the user of a session for a second factor.
    package static func all(
        _ services: DoorServices, site: Site, requests: AuthorizationRequests, devices: DeviceRequests,
        agents: AgentServices, issuer: TokenIssuer, profiles: AccountProfiles, assertions: ClientAssertions,
        exchanger: TokenExchanger, assertionSignIn: AssertionSignIn, impersonation: Impersonation,
        subjects: PairwiseSubjects,
        readyKeys: @escaping @Sendable () async throws -> Void, raise: @escaping RaisingSessions
    ) -> [any FrontDoor] {
        let authentication = ClientAuthentication(clients: services.clients, assertions: assertions)
        return [
            OpenIDMetadataDoor(
                signingKeys: services.signingKeys, clients: services.clients, issuer: services.publicURL,
                agents: agents, assertions: assertionSignIn, readyKeys: readyKeys),
            OpenIDAuthorizeDoor(
                site: site, requests: requests, grants: services.grants, documents: agents.documents, tokens: issuer,
                subjects: subjects, issuer: services.publicURL,
                raise: raise),
            OpenIDEndSessionDoor(site: site, issuer: issuer, subjects: subjects),
            OpenIDAppPageDoor(site: site),
            OpenIDPushDoor(
                log: services.log, authentication: authentication, directory: services.directory, requests: requests,
                documents: agents.documents, clients: services.clients, proofs: services.proofs),
            OpenIDRegistrationDoor(
                log: services.log, directory: services.directory, registrations: agents.registrations,
                issuer: services.publicURL),
            OpenIDTokenDoor(
                log: services.log, authentication: authentication, directory: services.directory,
                sessions: services.sessions, handover: services.handover, inspector: services.inspector,
                clients: services.clients, exchanger: exchanger, impersonation: impersonation, devices: devices,
                assertions: assertionSignIn, proofs: services.proofs),
            OpenIDDeviceDoor(
                log: services.log, authentication: authentication, directory: services.directory,
                clients: services.clients, devices: devices, issuer: services.publicURL),
            OpenIDDevicePagesDoor(
                site: site, devices: devices, grants: services.grants, raise: raise),
            OpenIDUserInfoDoor(
                log: services.log, directory: services.directory, clients: services.clients, profiles: profiles,
                proofs: services.proofs, issuer: issuer, readyKeys: readyKeys),
        ]
    }
}
