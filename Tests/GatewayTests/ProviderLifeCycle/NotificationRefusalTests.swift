import Foundation
import JSON
import TestSupport
import Testing

extension NotificationTests {
    @Suite("Refused notifications")
    struct RefusalTests {
        /// A notification with exactly one fault.
        struct Attack: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let members: JSONObject
            var status = 401
            let code: String

            init(_ name: String, _ code: String, _ members: JSONObject) {
                (testDescription, self.code, self.members) = (name, code, members)
            }

            init(claims name: String, _ code: String, _ claims: JSONObject) {
                self.init(name, code, ["claims": .object(claims)])
            }

            init(events name: String, _ events: JSON) {
                self.init(name, "invalid_request", ["events": events])
                status = 400
            }
        }

        private static let event: JSON = ["type": "consent-revoked", "sub": "x"]

        private static func seconds(_ offset: Int) -> JSON { .integer(Int(Date().timeIntervalSince1970) + offset) }

        private static let attacks: [Attack] = [
            Attack("changed after signing", "signature_invalid", ["signing": "tampered"]),
            Attack("no signature", "signature_invalid", ["signing": "empty"]),
            Attack("alg none", "algorithm_not_allowed", ["signing": "none"]),
            Attack("HMAC with the public key", "algorithm_not_allowed", ["signing": "hs256-with-public-key"]),
            Attack("a key of nobody's", "key_unknown", ["signing": "unpublished-key"]),
            Attack("crit", "header_unsupported", ["header": ["crit": ["x"]]]),
            Attack("another type", "wrong_token_type", ["header": ["typ": "at+jwt"]]),
            Attack("no kid", "key_id_malformed", ["header": ["kid": .null]]),
            Attack("another app", "audience_mismatch", ["client_id": "com.example.other"]),
            Attack("ours in capitals", "audience_mismatch", ["client_id": "COM.EXAMPLE.APP"]),
            Attack(claims: "two audiences", "audience_mismatch", ["aud": ["com.example.app", "com.example.web"]]),
            Attack(claims: "no audience", "audience_mismatch", ["aud": .null]),
            Attack(claims: "an empty list", "audience_mismatch", ["aud": []]),
            Attack(claims: "another issuer", "issuer_not_allowed", ["iss": "https://account.apple.com"]),
            Attack(claims: "the issuer with a slash", "issuer_not_allowed", ["iss": "https://appleid.apple.com/"]),
            Attack(claims: "over", "expired", ["iat": seconds(-7_200), "exp": seconds(-3_600)]),
            Attack(claims: "over before it began", "issued_at_invalid", ["exp": seconds(-60)]),
            Attack(claims: "from the future", "issued_at_invalid", ["iat": seconds(3_600)]),
            Attack(claims: "without a time", "issued_at_invalid", ["iat": .null]),
            Attack(claims: "a time in words", "claim_type", ["iat": "now"]),
            Attack(claims: "eight days old, without end", "too_old", ["iat": seconds(-8 * 86_400), "exp": .null]),
            Attack(
                claims: "forty days old, good for a year", "too_old",
                ["iat": seconds(-40 * 86_400), "exp": seconds(300 * 86_400)]),
            Attack(claims: "a subject of its own", "wrong_token_type", ["sub": "000000.x.0000"]),
            Attack(claims: "a nonce", "wrong_token_type", ["nonce": "x"]),
            Attack(claims: "no events", "wrong_token_type", ["events": .null]),
            Attack(events: "events a number", 7),
            Attack(events: "no event at all", []),
            Attack(events: "a list in a list", [[event]]),
            Attack(events: "a list in a text", .string("[\(event.text)]")),
            Attack(events: "a text in a text", .string(JSON.string(event.text).text)),
            Attack(events: "eleven events", .array(Array(repeating: event, count: 11))),
            Attack(events: "no JSON", "consent-revoked"),
            Attack(events: "a name twice", #"{"type":"consent-revoked","sub":"a","sub":"b"}"#),
            Attack(events: "nobody", ["type": "consent-revoked"]),
            Attack(events: "somebody by number", ["type": "consent-revoked", "sub": 7]),
            Attack(events: "nothing", ["sub": "x"]),
            Attack(events: "a time in words", ["type": "consent-revoked", "sub": "x", "event_time": "now"]),
            Attack(events: "half of it wrong", [event, ["type": "consent-revoked"]]),
            Attack(
                events: "a text of 5,000 bytes",
                .string(
                    JSON.object(["type": "x", "sub": "y", "pad": .string(String(repeating: "a", count: 5_000))]).text)),
        ]

        @Test("J-28: only an exact notification of Apple's to us has an effect", arguments: attacks)
        func refused(attack: Attack) async throws {
            let gateway = try GatewayProcess.current
            let (session, subject) = try await gateway.applePerson()
            var members = attack.members
            members["subject"] = .string(subject)
            members["keep_tokens"] = true
            let answer = try await gateway.notify(try await gateway.simulator.notification(members))
            try await gateway.expectRefusal(
                answer, attack.status, attack.code, action: "provider_notification", provider: "apple")
            #expect(try await gateway.works(session))
            #expect(try await gateway.storedTokens(of: session.identity) == 1)
        }

        @Test(
            "J-28: a notification without its id is malformed",
            arguments: [.null, "", 7, .string(String(repeating: "j", count: 256))] as [JSON])
        func id(value: JSON) async throws {
            let gateway = try GatewayProcess.current
            let answer = try await gateway.notify(
                try await gateway.simulator.notification(["claims": ["jti": value]]))
            try await gateway.expectRefusal(
                answer, 400, "invalid_request", action: "provider_notification", provider: "apple")
            #expect(answer.json["errors"]?.array?.first?["code"] == "jti_malformed")
        }

        @Test("J-28: an ID token is refused as a notification, and a notification creates no session")
        func confusion() async throws {
            let gateway = try GatewayProcess.current
            let (session, subject) = try await gateway.applePerson()
            let minted = try await gateway.simulator.mint("apple", ["subject": .string(subject)])
            try await gateway.expectRefusal(
                try await gateway.notify(["payload": .string(minted.token)]), 401, "wrong_token_type",
                action: "provider_notification", provider: "apple")
            let body = try await gateway.simulator.notification(["subject": .string(subject), "keep_tokens": true])
            let token = try #require(body["payload"])
            try await gateway.expectRefusal(
                try await gateway.signIn("apple", credential: ["id_token": token]), 401, "wrong_token_type",
                provider: "apple")
            #expect(try await gateway.works(session))
        }

        private static let bodies: [(request: TestRequest, status: Int, code: String)] = {
            let post = TestRequest("POST", "/v1/events/apple")
            return [
                (post.json([:]), 400, "invalid_request"),
                (post.json(["payload": ["a": "b"]]), 400, "invalid_request"),
                (post.json(["payload": ""]), 400, "invalid_request"),
                (post.json(["payload": "a.b"]), 400, "invalid_request"),
                (post.json(["payload": .string(String(repeating: "a", count: 9_000))]), 400, "invalid_request"),
                (post.json(["payload": .string(String(repeating: "a", count: 17_000))]), 413, "body_too_large"),
                (post.json(["x"]), 400, "malformed_request"),
                (post.header("Content-Type", "application/json").bytes(Array("{".utf8)), 400, "malformed_request"),
                (post.form([("payload", "x")]), 415, "unsupported_media_type"),
            ]
        }()

        @Test(
            "J-28: a body without a notification is refused, without a request for keys",
            arguments: bodies.indices)
        func body(index: Int) async throws {
            let gateway = try GatewayProcess.current
            let (request, status, code) = Self.bodies[index]
            let answer = try await gateway.send(request)
            try await gateway.expectRefusal(answer, status, code, action: "provider_notification", provider: "apple")
            let page = try OpenAPIDocument.current.get()
            #expect(page.complaints(about: answer, to: request) == [])
        }
    }
}

/// Tests with their own environment.
@Suite("Apple's notifications in trouble")
struct NotificationTroubleTests {
    @Test(
        "J-28: without Apple's keys or the database, Apple is asked to retry, and the retry takes effect"
    )
    func trouble() async throws {
        try await withDeployment(ownsSimulator: true) { deployment in
            var person: (session: SignedInAnswer, subject: String)?
            try await deployment.serving { person = try await $0.applePerson() }
            let (session, subject) = try #require(person)
            try await deployment.simulator.behave("apple", "error", endpoint: "keys", ["status": 503])
            let body = try await deployment.simulator.notification(["subject": .string(subject)])
            try await deployment.serving { gateway in
                let answer = try await gateway.notify(body)
                #expect(answer.status == 503)
                #expect(answer.code == "provider_unavailable")
                #expect(answer.header("Retry-After") != nil)
                #expect(try await gateway.works(session))
                try await deployment.simulator.behave("apple", "normal", endpoint: "keys")
                try await deployment.whileRefusingInserts(into: "identity_events") {
                    // The keys are fetched again after a pause.
                    let failed = try await poll(within: .seconds(120), every: .milliseconds(200)) {
                        let answer = try await gateway.notify(body)
                        return answer.status == 503 ? nil : answer
                    }
                    #expect(failed.status == 500)
                }
                #expect(try await gateway.works(session))
                let taken = try await gateway.notify(body)
                #expect(taken.status == 200)
                try await gateway.expectEnded(session)
            }
        }
    }

    @Test("J-28: strangers are throttled by network, and Apple is not")
    func throttled() async throws {
        try await withGateway(["THROTTLE_ADDRESS_BURST": "5", "THROTTLE_ADDRESS_PER_MINUTE": "1"]) { gateway in
            for _ in 0..<8 { try await gateway.hear("consent-revoked", of: "000000.nobody.0000") }
            var codes: [String?] = []
            for _ in 0..<6 { codes.append(try await gateway.notify(["payload": "a.b.c"]).code) }
            #expect(codes.first == "invalid_request")
            #expect(codes.last == "throttled")
        }
    }

    @Test("J-28: one notification to two servers takes effect once")
    func twoServers() async throws {
        try await withGatewayPair { pair in
            let (session, subject) = try await pair.one.applePerson()
            let body = try await pair.one.simulator.notification(["subject": .string(subject)])
            let answers = try await inParallel(0..<8) { number in
                try await (number.isMultiple(of: 2) ? pair.one : pair.two).notify(body)
            }
            #expect(answers.allSatisfy { $0.status == 200 })
            let rows = try await pair.one.audit(account: session.account)
            #expect(rows.filter { $0.action == "provider_consent_revoked" }.count == 1)
            for gateway in [pair.one, pair.two] { try await gateway.expectEnded(session) }
        }
    }
}
