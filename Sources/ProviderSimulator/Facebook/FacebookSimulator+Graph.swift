import Cryptography
import FoundationEssentials
import HTTPTypes
import JSON

extension FacebookSimulator {
    /// `POST oauth/access_token`: exchanges a code for an access token.
    func token(_ request: Received) throws -> Answer {
        let form: Parameters
        let client: PresentedClient
        do {
            form = try request.form(
                required: ["client_id", "client_secret", "code", "redirect_uri"],
                optional: ["code_verifier", "grant_type"])
            client = try desk.clients.identify(form, request)
        } catch {
            let code = error.error == "invalid_client" ? 1 : 100
            throw refusal(code, "Error validating client secret.", reason: error.reason)
        }
        guard ["authorization_code", nil].contains(form["grant_type"]) else {
            throw refusal(100, "Unsupported grant type.", reason: "the grant type is not known")
        }
        let access: Access
        do { access = try desk.redeem(form, of: client.id, at: request.now) } catch {
            throw refusal(100, "This authorization code has been used or is invalid.", reason: error.reason)
        }
        return .secret([
            "access_token": .string(desk.issue(access)), "token_type": "bearer",
            "expires_in": .integer(Self.lifetime),
        ])
    }

    /// `GET debug_token`: the app and the user of a token, for a caller that authenticates as an app.
    func tokenInfo(_ request: Received) throws -> Answer {
        let input = try query(request, required: ["input_token"], optional: []).value("input_token")
        let parts = try bearer(request).split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, desk.clients.contains(parts[0]), parts[1].hasSameBytes(as: Defaults.facebookSecret)
        else { throw refusal(190, "Invalid OAuth access token signature.", reason: "the app token is wrong") }
        guard let access = desk.accessTokens[input] else {
            let error: JSON = ["code": 190, "message": "Invalid OAuth access token."]
            return .secret(["data": ["error": error, "is_valid": false, "scopes": []]])
        }
        return .secret(["data": .object(access.info)])
    }

    /// `GET me`: the requested and granted fields; the proof is required, as an app can demand it.
    func profile(_ request: Received) throws -> Answer {
        let query = try query(request, required: ["fields", "appsecret_proof"], optional: [])
        let token = try bearer(request)
        guard let access = desk.accessTokens[token] else {
            throw refusal(190, "Invalid OAuth access token.", reason: "the access token is unknown")
        }
        let proof = HMACSHA256.code(Array(token.utf8), key: Array(Defaults.facebookSecret.utf8))
        guard query.value("appsecret_proof").hasSameBytes(as: Hex.encode(proof)) else {
            throw refusal(100, "Invalid appsecret_proof provided in the API argument", reason: "the proof is wrong")
        }
        let fields = Set(query.value("fields").split(separator: ",").map(String.init)).union(["id"])
        let members = access.profile.members.filter { fields.contains($0.name) }
        return .secret(.object(JSONObject(members)))
    }

    private func query(
        _ request: Received, required: Set<String>, optional: Set<String>
    ) throws(Refusal) -> Parameters {
        try request.expectNoBody()
        do { try request.query.expect(required: required, optional: optional) } catch {
            throw refusal(100, "Invalid parameter", reason: error.description)
        }
        return request.query
    }

    private func bearer(_ request: Received) throws(Refusal) -> String {
        guard let header = try request.header("authorization"), header.lowercased().hasPrefix("bearer ") else {
            throw refusal(
                2_500, "An active access token must be used to query information about the current user.",
                reason: "there is no bearer token")
        }
        return String(header.dropFirst(7))
    }

    /// An error of the Graph API is an object.
    private func refusal(_ code: Int, _ message: String, reason: String) -> Refusal {
        let error: JSON = [
            "message": .string(message), "type": "OAuthException", "code": .integer(code),
            "fbtrace_id": .string(RandomText.base64URL(9)),
        ]
        return Refusal(.badRequest, "error_\(code)", message, reason: reason)
            .inForm(.answer(.secret(["error": error], status: .badRequest)))
    }
}
