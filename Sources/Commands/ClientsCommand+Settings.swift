import ArgumentParser
import Clients
import JSON

extension ClientsCommand {
    /// The settings of a client.
    ///
    /// Omitted settings stay unchanged.
    struct Settings: ParsableArguments {
        @Option(help: "The display name.") var name: String?
        @Option(help: "An allowed web origin. Repeatable; the list replaces the old one.")
        var origin: [String] = []
        @Option(help: "A redirect URI. Repeatable; replaces the old list.") var redirectURI: [String] = []
        @Option(
            help:
                "The id of a sign-in method that the app offers: a provider, password, email_otp, sms_otp or passkey. Repeatable; replaces the old list; - removes all."
        )
        var provider: [String] = []
        @Option(help: "A kind of name for sign-up: email, phone or user_name. Repeatable; replaces the old list.")
        var signUpName: [String] = []
        @Option(
            help:
                "An attribute of its users: name, then in any order :kind (text, number, flag or date), :writer (user, back_end or both) and :shared, for one value with other apps; a final ! makes a sign-up require it. Repeatable; replaces the old list; - removes all."
        )
        var attribute: [String] = []
        @Option(
            help: "A permission of its sessions: account or administration. Repeatable; - removes all.")
        var audience: [String] = []
        @Option(
            help:
                "An accepted token audience, as provider:audience. Repeatable; replaces the old list. None: every configured audience."
        )
        var acceptedAudience: [String] = []
        @Option(help: "public or confidential.") var type: String?
        @Option(help: "both_verified or ask.") var linkingPolicy: String?
        @Option(help: "optional or required.") var secondFactor: String?
        @Option(help: "true or false: whether a sign-in without a credential makes an account.") var guests: Bool?
        @Option(help: "true or false: whether the custom challenge may be a second factor.") var customChallenge: Bool?
        @Option(help: "true or false: whether it takes a provider's token with a nonce that its SDK made.")
        var foreignNonces: Bool?
        @Option(help: "The policy for extra claims, as JSON with the members of the API; null removes it.")
        var claims: String?
        @Option(help: "The brand of its pages, as JSON with the members of the API; null removes it.")
        var brand: String?
        @Option(help: "off, beyond_budget or always: when a sign-up, a reset or a code needs a bot check.")
        var botCheck: String?
        @Option(
            help:
                "Its ids in the APIs of other vendors, as JSON: {\"cognito\": {\"pool_id\": \"eu-central-1_Abc123XYZ\", \"client_id\": \"4example\", \"reveals_users\": false, \"remembers_devices\": \"never\", \"strict_pkce\": false, \"exchange_audiences\": \"\"}} for Cognito user pools, {\"native_auth\": {\"tenant_id\": UUID, \"tenant_name\": \"contoso.onmicrosoft.com\", \"application_id\": UUID, \"reveals_users\": false}} for Microsoft's native authentication, or both. A member that is not named stays, also inside a dialect; null turns a dialect off, or a member back to its default, and {} turns all off. remembers_devices is never, opt_in or always."
        )
        var dialects: String?
        @Option(
            name: .customLong("openid"),
            help:
                "Its settings as a relying party, as JSON: {\"third_party\": true, \"pkce_optional\": false, \"id_token_algorithm\": \"RS256\", \"id_token_claims\": true, \"refresh_tokens\": \"always\", \"post_logout_redirect_uris\": [], \"backchannel_logout_uri\": URL, \"pushed_requests\": false, \"device_flow\": false}. A member that is not named stays; null sets it back to its default."
        )
        var openID: String?
        @Option(help: "The lifetime of access tokens, in seconds.") var accessTokenSeconds: Int?
        @Option(help: "The idle timeout of sessions, in seconds.") var refreshIdleSeconds: Int?
        @Option(help: "The maximum lifetime of sessions, in seconds.") var refreshMaxSeconds: Int?
        @Option(
            help: "always, or relaxed: a refresh keeps the refresh token, for apps that cannot store a new one.")
        var refreshRotation: String?

        /// - Throws: `ValidationError` for claims, a brand or dialects that are no JSON, or an attribute that can't be read.
        func members() throws -> JSONObject {
            var members: JSONObject = [:]
            members["name"] = name.map(JSON.string)
            members["type"] = type.map(JSON.string)
            members["linking_policy"] = linkingPolicy.map(JSON.string)
            members["second_factor"] = secondFactor.map(JSON.string)
            members["guests"] = guests.map(JSON.bool)
            members["custom_challenge"] = customChallenge.map(JSON.bool)
            members["foreign_nonces"] = foreignNonces.map(JSON.bool)
            members["claims"] = try claims.map {
                try Self.json("claims", $0, "{\"attributes\": {\"company\": \"org\"}}")
            }
            members["brand"] = try brand.map { try Self.json("brand", $0, "{\"accent\": \"#2456d6\"}") }
            members["bot_check"] = botCheck.map(JSON.string)
            members["dialects"] = try dialects.map { text in
                let app = "{\"pool_id\": \"eu-central-1_Abc123XYZ\", \"client_id\": \"4example\"}"
                return try Self.json("dialects", text, "{\"cognito\": \(app)}")
            }
            members["openid"] = try openID.map { try Self.json("openid", $0, "{\"third_party\": true}") }
            members["access_token_seconds"] = accessTokenSeconds.map(JSON.integer)
            members["refresh_idle_seconds"] = refreshIdleSeconds.map(JSON.integer)
            members["refresh_max_seconds"] = refreshMaxSeconds.map(JSON.integer)
            members["refresh_rotation"] = refreshRotation.map(JSON.string)
            for (name, list) in [
                ("origins", origin), ("redirect_uris", redirectURI), ("providers", provider), ("audiences", audience),
                ("sign_up_names", signUpName),
            ] where !list.isEmpty {
                members[name] = .array(list.filter { $0 != "-" }.map(JSON.string))
            }
            if !attribute.isEmpty { members["attributes"] = try Self.attributes(attribute.filter { $0 != "-" }) }
            if !acceptedAudience.isEmpty { members["accepted_audiences"] = Self.byProvider(acceptedAudience) }
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

        private static func attributes(_ texts: [String]) throws -> JSON {
            for text in texts where ClientAttribute(text) == nil {
                throw ValidationError(
                    "--attribute \(text) can't be read. Write name, then after colons a kind (text, number, flag, date), a writer (user, back_end, both) or shared, with ! at the end if it is required. Names of claims such as email or roles are reserved."
                )
            }
            return texts.compactMap(ClientAttribute.init).json
        }

        /// Groups values such as `apple:com.example.app` by provider.
        ///
        /// A value without a colon is a provider without audiences, which is refused.
        private static func byProvider(_ audiences: [String]) -> JSON {
            var object: JSONObject = [:]
            for text in audiences {
                let parts = text.split(separator: ":", maxSplits: 1)
                let provider = parts.first.map(String.init) ?? ""
                object[provider] = .array(
                    (object[provider]?.array ?? []) + parts.dropFirst().map { .string(String($0)) })
            }
            return .object(object)
        }
    }
}
