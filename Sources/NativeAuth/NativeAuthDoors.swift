import Clients
package import HTTPServer
package import Logging
package import Pages
package import SignIn

/// The doors that speak both versions of Microsoft's native authentication API.
package enum NativeAuthDoors {
    package static func all(
        _ services: DoorServices, site: Site, continuations: ContinuationTokens, logger: Logger
    ) -> [any FrontDoor] {
        let calls = NativeAuthCalls(
            log: services.log, clients: services.clients, continuations: continuations, flows: services.flows,
            confirmed: ConfirmedSessions(handover: services.handover, dialect: .nativeAuth),
            publicURL: services.publicURL, logger: logger)
        return [
            NativeAuthDoor(
                signIn: NativeAuthSignIn(calls: calls, sessions: services.sessions, handover: services.handover),
                signUp: NativeAuthSignUp(calls: calls), reset: NativeAuthReset(calls: calls),
                registration: NativeAuthRegistration(calls: calls), signingKeys: services.signingKeys),
            NativeAuthLogoutDoor(site: site),
            NativeV2Door(
                challenge: NativeV2Challenge(calls: calls), journeys: NativeV2Journeys(calls: calls),
                methods: NativeV2MethodCalls(calls: calls)),
        ]
    }
}
