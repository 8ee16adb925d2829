import Cryptography
import Foundation
import Hummingbird
import JSON
import Postgres
import Synchronization
import TestSupport
import Testing

/// Modelled on the back-channel plan of the OpenID Foundation.
extension OpenIDTests {
    /// What an app receives at its address.
    private final class Receiver: Sendable {
        private let bodies = Mutex<[String]>([])
        /// Whether the first try fails, so that the notice must be sent again.
        private let isFailing: Bool

        init(isFailing: Bool = false) { self.isFailing = isFailing }

        func take(_ request: Request) async throws -> Response {
            let body = String(buffer: try await request.body.collect(upTo: 65_536))
            let isFirst = bodies.withLock {
                $0.append(body)
                return $0.count == 1
            }
            return Response(status: isFirst && isFailing ? .internalServerError : .ok)
        }

        var all: [String] { bodies.withLock { $0 } }
    }

    @Test(
        "oidcc-backchannel-rp-initiated-logout: a logout token for the session, sent again after a failure",
        arguments: ["public", "pairwise"])
    func backChannel(subjects: String) async throws {
        let receiver = Receiver(isFailing: true)
        try await withLocalServer({ try await receiver.take($0) }) { address in
            let party = try await RelyingParty.register([
                "backchannel_logout_uri": .string(address + "/bcl"), "subject_type": .string(subjects),
            ])
            let visitor = try await Visitor.arrive()
            let tokens = try await party.tokens(try await visitor.signIn(party.request()))
            try await visitor.browser.visit("/end-session?id_token_hint=\(tokens.idToken)")
            let bodies = try await poll(within: .seconds(40)) { receiver.all.count >= 2 ? receiver.all : nil }
            for body in bodies.prefix(2) {
                #expect(body.hasPrefix("logout_token=") && !body.contains("&"))
                let jwt = try JWT(parsing: String(body.dropFirst("logout_token=".count)))
                let keys = try JWKSet(
                    parsing: try await party.gateway.get("/.well-known/jwks.json").body, accepting: [.RS256])
                let key = try #require(keys.key(id: jwt.keyID ?? "", algorithm: .RS256)?.key)
                #expect(jwt.isSigned(by: key, .RS256) && jwt.header["typ"] == "logout+jwt")
                for name in ["iss", "sub", "aud", "sid"] { #expect(jwt.claims[name] == tokens.claims[name]) }
                #expect(jwt.claims["nonce"] == nil && jwt.claims["jti"] != nil && jwt.claims["iat"] != nil)
                #expect(jwt.claims["events"] == ["http://schemas.openid.net/event/backchannel-logout": [:]])
            }
            let waiting: SQL = "select count(*) from logout_notices where client_id = \(party.id)"
            try await poll { try await party.gateway.count(waiting) == 0 ? () : nil }
        }
    }

    @Test("The log names an app whose address the gateway does not call, and the reason")
    func refusedAddress() async throws {
        // Link-local: refused in development, too.
        let party = try await RelyingParty.register(["backchannel_logout_uri": "https://169.254.10.1/bcl"])
        let visitor = try await Visitor.arrive()
        let tokens = try await party.tokens(try await visitor.signIn(party.request()))
        try await visitor.browser.visit("/end-session?id_token_hint=\(tokens.idToken)")
        let line = try await poll(within: .seconds(20)) {
            party.gateway.log.split(separator: "\n")
                .first { $0.contains("an app could not be told of a sign-out") && $0.contains(party.id) }
        }
        let logged = try JSON(parsing: String(line))
        #expect(logged["reason"] == "address_refused" && logged["level"] == "warning", "\(line)")
    }

    @Test("No app gets a logout notice for a session before the code is redeemed")
    func unredeemed() async throws {
        let receiver = Receiver()
        try await withLocalServer({ try await receiver.take($0) }) { address in
            let party = try await RelyingParty.register(["backchannel_logout_uri": .string(address + "/bcl")])
            let visitor = try await Visitor.arrive()
            try await visitor.signIn(party.request())
            let lost = try #require(visitor.browser.departureQuery["code"])
            try await visitor.browser.visit(party.request())
            #expect(visitor.browser.departureQuery["code"] != lost)
            let tokens = try await party.tokens(visitor.browser)
            try await visitor.browser.visit("/end-session?id_token_hint=\(tokens.idToken)")
            let ended = try await party.gateway.count(
                """
                select count(*) from sessions
                 where client_id = \(party.id) and browser_id is not null and ended_at is not null
                """)
            #expect(ended == 2)
            // The end of both sessions queued every notice.
            let waiting: SQL = "select count(*) from logout_notices where client_id = \(party.id)"
            try await poll(within: .seconds(20)) {
                try await party.gateway.count(waiting) == 0 && !receiver.all.isEmpty ? () : nil
            }
            let told = try receiver.all.map { try JWT(parsing: String($0.dropFirst("logout_token=".count))) }
            #expect(told.map { $0.claims["sid"] } == [tokens.claims["sid"]])
        }
    }

    @Test("Every end of a session is reported, such as that by a disabled account")
    func everyEnd() async throws {
        let receiver = Receiver()
        try await withLocalServer({ try await receiver.take($0) }) { address in
            let party = try await RelyingParty.register(["backchannel_logout_uri": .string(address + "/bcl")])
            let visitor = try await Visitor.arrive()
            let asked = party.request(["scope": "openid offline_access"])
            let tokens = try await party.tokens(try await visitor.signIn(asked))
            let account = try #require(tokens.claims["sub"]?.string)
            try await party.gateway.change("select end_account_access(\(account)::uuid, 'account_disabled')")
            try await poll(within: .seconds(20)) { receiver.all.isEmpty ? nil : () }
        }
    }
}
