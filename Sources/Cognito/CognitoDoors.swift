package import Accounts
import Clients
package import HTTPServer
package import Logging
package import Operators
package import Pages
package import SignIn

/// The doors that speak Amazon Cognito's protocols.
package enum CognitoDoors {
    package static func all(
        _ services: DoorServices, site: Site, names: FlowNames, operators: AdminServices, users: UserDirectory,
        provisioning: UserProvisioning, logger: Logger
    ) -> [any FrontDoor] {
        let (clients, flows, sessions) = (services.clients, services.flows, services.sessions)
        let (accounts, factors) = (services.accounts, services.factors)
        let calls = CognitoCalls(
            log: services.log, directory: services.directory, clients: clients, publicURL: services.publicURL,
            logger: logger)
        let confirmed = ConfirmedSessions(handover: services.handover, dialect: .cognito)
        let existence = CognitoExistence(flows: flows, names: names)
        let signIn = CognitoSignIn(
            calls: calls, flows: flows, names: names, sessions: sessions, confirmed: confirmed, existence: existence,
            accounts: accounts)
        let cognitoUsers = CognitoUsers(
            directory: users, care: operators.care, leaving: operators.leaving, factors: factors,
            sessions: services.directory)
        return [
            CognitoDoor(
                calls: calls, signIn: signIn,
                signUp: CognitoSignUp(
                    calls: calls, flows: flows, names: names, confirmed: confirmed, existence: existence),
                tokens: CognitoTokens(calls: calls, sessions: sessions, inspector: services.inspector),
                sessions: CognitoSessions(calls: calls, sessions: sessions),
                profile: CognitoProfile(
                    calls: calls, accounts: accounts, flows: flows, addresses: services.addresses, factors: factors,
                    names: names, passwordChange: services.passwordChange, deletion: services.deletion),
                factors: CognitoFactors(
                    calls: calls, flows: flows, factors: factors, names: names, confirmed: confirmed),
                devices: CognitoDevices(calls: calls, factors: factors),
                administration: CognitoAdmin(
                    calls: calls, signIn: signIn, users: cognitoUsers,
                    credentials: CognitoCredentials(
                        users: cognitoUsers, provisioning: provisioning, names: names, clients: clients),
                    identities: CognitoIdentities(
                        users: cognitoUsers, moves: operators.moves, providers: operators.providers),
                    factors: CognitoAdminFactors(users: cognitoUsers, factors: factors))),
            CognitoMetadataDoor(clients: clients, signingKeys: services.signingKeys, publicURL: services.publicURL),
            CognitoHostedDoor(
                calls: calls, sessions: sessions, handover: services.handover, inspector: services.inspector,
                accounts: accounts),
            CognitoLogoutDoor(site: site),
        ]
    }
}
