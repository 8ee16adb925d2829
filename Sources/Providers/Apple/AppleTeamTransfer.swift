import Cryptography
package import FoundationEssentials
import JSON
import Outbound

/// The move of apps and their users to another developer team.
///
/// Pages: "Transferring your apps and users to another team", "Bringing new apps and users into your team".
///
/// Subjects and relay addresses belong to a team. The old team requests a transfer subject, and the new team exchanges
/// it for the user's subject there.
package struct AppleTeamTransfer: Sendable {
    /// Good for an hour.
    package struct AccessToken: Sendable {
        let token: Secret
        let issuedAt: Date

        /// Whether it remains valid for a while.
        package func isGood(at now: Date) -> Bool { now.timeIntervalSince(issuedAt) < 3_000 }
    }

    package let teamID: String
    private let clientID: String
    private let exchange: AppleCodeExchange
    private let url: String

    init(teamID: String, clientID: String, exchange: AppleCodeExchange, url: String) {
        (self.teamID, self.clientID, self.exchange, self.url) = (teamID, clientID, exchange, url)
    }

    package func accessToken(at now: Date) async throws(ProviderError) -> AccessToken {
        let upstream = exchange.endpoint.upstream
        let answer = try await exchange.endpoint.clientCredentials(
            scope: "user.migration", clientID: clientID,
            client: .secretInForm(try exchange.secret(for: clientID, at: now)), by: upstream.deadline())
        guard let token = answer.accessToken else { throw upstream.failure("upstream_malformed") }
        return AccessToken(token: token, issuedAt: now)
    }

    /// The transfer subject of one of our users for another team.
    ///
    /// - Throws: `refused` for a user that Apple does not transfer, such as one who has disconnected the app.
    package func transferSubject(
        of subject: String, to team: String, by token: AccessToken, at now: Date
    ) async throws(ProviderError) -> String {
        let answer = try await ask([("sub", subject), ("target", team)], by: token, at: now)
        return try text("transfer_sub", in: answer)
    }

    /// The subject of a transfer subject in this team, and the new relay address if there is one.
    ///
    /// - Throws: `refused` for one that this team cannot receive.
    package func person(
        for transferSubject: String, by token: AccessToken, at now: Date
    ) async throws(ProviderError) -> (subject: String, relayAddress: String?) {
        let answer = try await ask([("transfer_sub", transferSubject)], by: token, at: now)
        let address = answer["email"]?.string.flatMap { ExternalEmail(address: $0, authority: .unverified) }
        return (try text("sub", in: answer), address?.address)
    }

    private func ask(
        _ fields: [(String, String)], by token: AccessToken, at now: Date
    ) async throws(ProviderError) -> JSONObject {
        let upstream = exchange.endpoint.upstream
        let client = TokenEndpoint.Client.secretInForm(try exchange.secret(for: clientID, at: now)).proof(of: clientID)
        let bearer = (name: "Authorization", value: "Bearer " + token.token.revealedText)
        let response = try await upstream.send(
            .form(url, fields + client.fields, headers: client.headers + [bearer]), by: upstream.deadline())
        guard let object = Upstream.object(in: response) else { throw upstream.failure("upstream_malformed") }
        guard response.status == 200 else { throw refusal(object["error"]?.string) }
        return object
    }

    private func refusal(_ word: String?) -> ProviderError {
        switch word {
        case "invalid_request": .refused(.subjectInvalid)
        case .some: .misconfigured(reason: "client_secret_rejected")
        case nil: exchange.endpoint.upstream.failure("upstream_malformed")
        }
    }

    private func text(_ name: String, in object: JSONObject) throws(ProviderError) -> String {
        guard let text = object[name]?.string, (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw exchange.endpoint.upstream.failure("upstream_malformed") }
        return text
    }
}

extension AppleProvider {
    /// The move of this team's apps; nil without a signing key or a client.
    ///
    /// - Parameter clientID: the app that moves; nil for the first configured one.
    package func teamTransfer(of clientID: String? = nil) -> AppleTeamTransfer? {
        let clients = configuration.nativeClientIDs + configuration.webClientIDs
        guard let exchange, let client = clientID ?? clients.first else { return nil }
        return AppleTeamTransfer(
            teamID: configuration.teamID, clientID: client, exchange: exchange, url: base + "/auth/usermigrationinfo")
    }

    /// The identity in the app's former team, while the operator accepts such identities.
    func former(in claims: JSONObject, at now: Date) -> FormerIdentity? {
        guard let arrival = configuration.arrival, now < arrival.until,
            let subject = claims["transfer_sub"]?.string, (1...255).contains(subject.utf8.count)
        else { return nil }
        return FormerIdentity(realm: arrival.fromTeam, transferSubject: subject)
    }
}
