package import Accounts
package import AdminHTTP
package import HTTPServer
package import Logging
package import Messages
package import Operators
package import Sessions

/// The doors of the REST API and of the admin API.
package enum RESTDoors {
    package static func all(
        _ services: DoorServices, sessionCookies: SessionCookies, reports: DeliveryReports,
        notifications: ProviderNotifications
    ) -> [any FrontDoor] {
        let calls = RESTCalls(
            log: services.log, directory: services.directory, clients: services.clients,
            proofs: services.proofs)
        return [
            RESTSignInDoor(calls: calls, flows: services.flows),
            RESTAccountDoor(
                calls: calls, flows: services.flows, accounts: services.accounts, deletion: services.deletion,
                export: services.export, activity: services.activity),
            RESTSecurityDoor(
                calls: calls, factors: services.factors, addresses: services.addresses,
                passwordChange: services.passwordChange, sessions: services.sessions),
            RESTGrantsDoor(calls: calls, grants: services.grants),
            RESTMergingDoor(calls: calls, merging: services.merging),
            RESTTokenDoor(
                calls: calls, sessions: services.sessions, sessionCookies: sessionCookies, issuer: services.publicURL),
            RESTEventsDoor(calls: calls, reports: reports, notifications: notifications),
        ]
    }

    /// The admin API.
    ///
    /// - Parameter streams: shared with the console.
    package static func admin(
        _ services: DoorServices, operators: AdminServices, streams: StreamPlaces, logger: Logger
    ) -> any FrontDoor {
        AdminDoor(
            services: operators, directory: services.directory, clients: services.clients, log: services.log,
            proofs: services.proofs, logger: logger, streams: streams)
    }
}
