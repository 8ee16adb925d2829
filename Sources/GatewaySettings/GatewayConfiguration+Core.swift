package import Clients
package import Cryptography
import Foundation
import HTTPServer
package import Messages
package import Sessions
import Vocabulary

/// The configuration in the core's types.
extension GatewayConfiguration {
    /// The client that `.env` describes.
    package var client: Client? {
        firstClient.map { first in
            Client(
                id: first.id, name: first.name, kind: first.kind,
                secret: first.secret.map { .digest(SHA256.hash($0.revealed)) },
                origins: first.origins, redirectURIs: first.redirectURIs.map(\.text),
                providers: first.providers ?? signInMethods, acceptedAudiences: first.acceptedAudiences,
                linkingPolicy: LinkingPolicy(bothVerified: linkingPolicy),
                demandsSecondFactor: first.demandsSecondFactor, signUpNames: first.signUpNames,
                attributes: first.attributes, claims: claims.policy, allowsGuests: first.allowsGuests,
                hasCustomChallenge: first.hasCustomChallenge,
                accessTokenLife: tokens.accessTokenSeconds, refreshIdle: tokens.refreshIdleDays * 86_400,
                refreshMaximum: tokens.refreshMaximumDays * 86_400)
        }
    }

    /// Every sign-in method that this configuration can have.
    ///
    /// The list is complete and stored: a provider that is configured later is added to each app that may offer it.
    private var signInMethods: [String] {
        providers.ids + FirstFactor.offered(sendsTexts: true, hasPasskeys: true)
    }

    /// The client of the console; it allows no sign-up, and no other page may use its sessions.
    package var consoleClient: Client {
        Client(
            id: operators.consoleClient, name: "Console", secret: nil, origins: [], redirectURIs: [],
            providers: signInMethods,
            linkingPolicy: LinkingPolicy(bothVerified: linkingPolicy), signUpNames: [],
            accessTokenLife: tokens.accessTokenSeconds, refreshIdle: tokens.refreshIdleDays * 86_400,
            refreshMaximum: tokens.refreshMaximumDays * 86_400, audiences: [.account, .administration])
    }

    /// The service's name in mails.
    package var serviceName: String { Self.serviceName(firstClient, publicURL: server.publicURL) }

    static func serviceName(_ first: FirstClientConfiguration?, publicURL: String) -> String {
        first?.name ?? URL(string: publicURL)?.host ?? "this service"
    }

    /// The address for Twilio's reports.
    ///
    /// Nil if Twilio sends nothing, or if `PUBLIC_URL` is not https: an attacker could change a report in transit.
    package var twilioCallback: TwilioCallback? {
        guard case .twilio(let account) = delivery.sms, server.isPubliclySecure else { return nil }
        return TwilioCallback(url: "\(server.publicURL)/\(TwilioCallback.path)", token: account.token)
    }

    /// The seconds that a retired signing key stays public; no token of any client lives longer.
    package var keyOverlap: Int { max(3_600, TokenProfile.idTokenLife) + 60 }
}

extension ThrottleConfiguration {
    package var limits: ThrottleLimits {
        ThrottleLimits(
            accountBurst: accountBurst, accountPerHour: accountPerHour, addressBurst: addressBurst,
            addressPerMinute: addressPerMinute,
            clientPerMinute: clientPerMinute, smsAddressPerHour: smsAddressPerHour,
            smsClientPerHour: smsClientPerHour, wrongAddressPerHour: wrongAddressPerHour,
            linkAddressPerHour: linkAddressPerHour, mailAddressPerHour: mailAddressPerHour,
            mailClientPerHour: mailClientPerHour)
    }
}

extension PasswordConfiguration {
    package var parameters: Argon2Parameters {
        Argon2Parameters(memoryKiB: hashMemoryKiB, passes: hashIterations, lanes: 1)
    }
}
