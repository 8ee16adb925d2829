import FoundationEssentials
import JSON

extension MicrosoftSimulator {
    static let lifetime = 3600

    /// `POST oauth2/v2.0/token`: exchanges a code for an ID token, with the client's secret or as a public client.
    func token(_ request: Received, at tenant: Tenant) throws -> Answer {
        let form = try request.form(
            required: ["grant_type"],
            optional: ["client_id", "client_secret", "code", "redirect_uri", "code_verifier", "scope"])
        let client = try clients.identify(form, request)
        guard form.value("grant_type") == "authorization_code" else {
            throw Refusal.badRequest("unsupported_grant_type", "AADSTS70003: The grant type is not supported.")
        }
        do {
            try form.expect(
                required: client.formMembers.union(["grant_type", "code", "redirect_uri"]),
                optional: ["code_verifier", "scope"])
        } catch {
            throw Refusal.invalidRequest(error.description)
        }
        try ProofKey.expectWellFormed(form["code_verifier"])
        let purchase = try redeem(form, client, at: request.now)
        guard purchase.claims["tid"]?.string == tenant.id else {
            throw invalidGrant("AADSTS700005", "the code was issued by another tenant")
        }
        return try tokens(for: purchase, scopes: scopes(form["scope"], of: purchase), at: request.now)
    }

    private func redeem(_ form: Parameters, _ client: PresentedClient, at now: Date) throws(Refusal) -> IDTokenPurchase
    {
        do {
            return try codes.redeem(
                form.value("code"), clientID: client.id, redirectURI: form["redirect_uri"],
                verifier: form["code_verifier"], at: now
            ).payload
        } catch {
            throw invalidGrant(error.microsoftNumber, error.reason)
        }
    }

    /// The newly requested scopes, which may be fewer than the granted ones.
    private func scopes(_ asked: String?, of purchase: IDTokenPurchase) throws(Refusal) -> [String] {
        guard let asked else { return purchase.scopes }
        let scopes = asked.split(separator: " ").map(String.init)
        guard scopes.allSatisfy(purchase.scopes.contains) else {
            throw .badRequest("invalid_scope", "AADSTS70011: The provided value for scope is not valid.")
        }
        return scopes
    }

    private func tokens(for purchase: IDTokenPurchase, scopes: [String], at now: Date) throws -> Answer {
        let seconds = Int(now.timeIntervalSince1970)
        let fresh: JSONObject = [
            "iat": .integer(seconds), "nbf": .integer(seconds), "exp": .integer(seconds + Self.lifetime),
            "uti": .string(RandomText.base64URL(16)),
        ]
        return .secret([
            "token_type": "Bearer", "scope": .string(scopes.joined(separator: " ")),
            "expires_in": .integer(Self.lifetime), "ext_expires_in": .integer(Self.lifetime),
            "access_token": .string("EwB" + RandomText.base64URL(96)),
            "id_token": .string(try forge.token(fresh.overridden(by: purchase.claims))),
        ])
    }

    private func invalidGrant(_ number: String, _ reason: String) -> Refusal {
        .badRequest("invalid_grant", "\(number): The authorization code can't be redeemed.", reason: reason)
    }
}

extension CodeProblem {
    /// Microsoft's error number.
    fileprivate var microsoftNumber: String {
        switch self {
        case .unknown: "AADSTS9002313"
        case .spent: "AADSTS54005"
        case .expired: "AADSTS70008"
        case .foreignClient: "AADSTS700005"
        case .redirectMismatch: "AADSTS500112"
        case .verifierMismatch: "AADSTS501481"
        }
    }
}
