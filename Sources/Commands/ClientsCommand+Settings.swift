import ArgumentParser
import Clients
import JSON
import Vocabulary

extension ClientsCommand {
    /// The settings of a client, besides its lists.
    ///
    /// Omitted settings stay unchanged.
    struct Settings: ParsableArguments {
        @Option(help: "The display name.") var name: String?
        @Option(help: "public or confidential.", transform: Word.one(of: Client.Kind.self)) var type: Client.Kind?
        @Option(help: "both_verified or ask.", transform: Word.one(of: LinkingPolicy.BothVerified.self))
        var linkingPolicy: LinkingPolicy.BothVerified?
        @Option(help: "optional or required.", transform: Word.one(of: ["optional", "required"]))
        var secondFactor: String?
        @Option(help: "true or false: whether a sign-in without a credential makes an account.") var guests: Bool?
        @Option(help: "true or false: whether the custom challenge may be a second factor.") var customChallenge: Bool?
        @Option(help: "true or false: whether it takes a provider's token with a nonce that its SDK made.")
        var foreignNonces: Bool?
        @Option(help: "The policy for extra claims, as JSON with the members of the API; null removes it.")
        var claims: String?
        @Option(help: "The brand of its pages, as JSON with the members of the API; null removes it.")
        var brand: String?
        @Option(
            help: "off, beyond_budget or always: when a sign-up, a reset or a code needs a bot check.",
            transform: Word.one(of: BotCheckPolicy.self))
        var botCheck: BotCheckPolicy?
        @Option(
            help:
                "Its ids in the APIs of other vendors, as JSON: {\"cognito\": {\"pool_id\": \"eu-central-1_Abc123XYZ\", \"client_id\": \"4example\", \"reveals_users\": false, \"remembers_devices\": \"never\", \"strict_pkce\": false, \"exchange_audiences\": \"\"}} for Cognito user pools, {\"native_auth\": {\"tenant_id\": UUID, \"tenant_name\": \"contoso.onmicrosoft.com\", \"application_id\": UUID, \"reveals_users\": false}} for Microsoft's native authentication, or both. A member that is not named stays, also inside a dialect; null turns a dialect off, or a member back to its default, and {} turns all off. remembers_devices is never, opt_in or always."
        )
        var dialects: String?
        @Option(
            name: .customLong("openid"),
            help:
                "Its settings as a relying party, as JSON: {\"third_party\": true, \"pkce_optional\": false, \"id_token_algorithm\": \"RS256\", \"id_token_claims\": true, \"scopes\": [], \"refresh_tokens\": \"always\", \"post_logout_redirect_uris\": [], \"backchannel_logout_uri\": URL, \"pushed_requests\": false, \"device_flow\": false}. A member that is not named stays; null sets it back to its default."
        )
        var openID: String?
        @Option(help: "The lifetime of access tokens, in seconds.") var accessTokenSeconds: Int?
        @Option(help: "The idle timeout of sessions, in seconds.") var refreshIdleSeconds: Int?
        @Option(help: "The maximum lifetime of sessions, in seconds.") var refreshMaxSeconds: Int?
        @Option(
            help: "always, or relaxed: a refresh keeps the refresh token, for apps that cannot store a new one.",
            transform: Word.one(of: TokenProfile.Rotation.self))
        var refreshRotation: TokenProfile.Rotation?

        /// - Throws: `ValidationError` for claims, a brand or dialects that are no JSON.
        func members() throws -> JSONObject {
            var members: JSONObject = [:]
            members["name"] = name.map(JSON.string)
            members["type"] = (type?.rawValue).map(JSON.string)
            members["linking_policy"] = (linkingPolicy?.rawValue).map(JSON.string)
            members["second_factor"] = secondFactor.map(JSON.string)
            members["guests"] = guests.map(JSON.bool)
            members["custom_challenge"] = customChallenge.map(JSON.bool)
            members["foreign_nonces"] = foreignNonces.map(JSON.bool)
            members["claims"] = try claims.map {
                try Self.json("claims", $0, "{\"attributes\": {\"company\": \"org\"}}")
            }
            members["brand"] = try brand.map { try Self.json("brand", $0, "{\"accent\": \"#2456d6\"}") }
            members["bot_check"] = (botCheck?.rawValue).map(JSON.string)
            members["dialects"] = try dialects.map { text in
                let app = "{\"pool_id\": \"eu-central-1_Abc123XYZ\", \"client_id\": \"4example\"}"
                return try Self.json("dialects", text, "{\"cognito\": \(app)}")
            }
            members["openid"] = try openID.map { try Self.json("openid", $0, "{\"third_party\": true}") }
            members["access_token_seconds"] = accessTokenSeconds.map(JSON.integer)
            members["refresh_idle_seconds"] = refreshIdleSeconds.map(JSON.integer)
            members["refresh_max_seconds"] = refreshMaxSeconds.map(JSON.integer)
            members["refresh_rotation"] = (refreshRotation?.rawValue).map(JSON.string)
            return members
        }

        /// The members of an object that a change leaves: named members replace, null removes, the others stay.
        static func merged(_ sent: JSONObject, besides held: JSONObject) -> JSONObject {
            var all = held
            for member in sent.members {
                let inside = member.value.object.map { merged($0, besides: held[member.name]?.object ?? [:]) }
                all[member.name] = member.value.isNull ? nil : inside.map { JSON.object($0) } ?? member.value
            }
            return all
        }

        private static func json(_ option: String, _ text: String, _ example: String) throws -> JSON {
            do {
                return try JSON(parsing: text)
            } catch {
                throw ValidationError("--\(option) is no valid JSON. Write an object such as \(example).")
            }
        }
    }
}
