import Cryptography
import Foundation
import JSON
import TestSupport
import Testing

/// Tokens that are bound to a key (DPoP, RFC 9449).
@Suite("Tokens bound to a key", .gateway()) struct KeyProofTests {
    private static let origin = "http://localhost:8080"

    /// Sends a request with a proof.
    private static func send(
        _ request: TestRequest, _ proof: String, token: String? = nil, scheme: String = "DPoP"
    ) async throws -> TestAnswer {
        let proved = request.header("DPoP", proof)
        let gateway = try GatewayProcess.current
        return try await gateway.send(token.map { proved.header("Authorization", "\(scheme) \($0)") } ?? proved)
    }

    /// A request of the token endpoint; it is repeated once with the server's nonce.
    private static func token(_ key: ProofKey, _ fields: [(String, String)]) async throws -> TestAnswer {
        let request = TestRequest("POST", "/v1/token").form(fields)
        let first = try await send(request, try key.proof("POST", origin + "/v1/token"))
        try #require(first.status == 400 && first.json["error"] == "use_dpop_nonce", "\(first.text)")
        let nonce = try #require(first.header("DPoP-Nonce"))
        return try await send(request, try key.proof("POST", origin + "/v1/token", nonce: nonce))
    }

    private static func userInfo(_ key: ProofKey, _ token: String, scheme: String = "DPoP") async throws -> TestAnswer {
        let proof = try key.proof("GET", origin + "/userinfo", with: token)
        return try await send(TestRequest("GET", "/userinfo"), proof, token: token, scheme: scheme)
    }

    /// The fields with which a public client redeems its code.
    private static func code(_ party: RelyingParty, _ changes: [String: String] = [:]) async throws -> [(
        String, String
    )] {
        let visitor = try await Visitor.arrive()
        let browser = try await visitor.signIn(party.request(changes))
        return [
            ("grant_type", "authorization_code"), ("code", try #require(browser.departureQuery["code"])),
            ("redirect_uri", RelyingParty.address), ("client_id", party.id), ("code_verifier", RelyingParty.verifier),
        ]
    }

    private static func claims(_ token: String) throws -> JSON {
        try JSON(parsing: try #require(Base64URL.decode(token.split(separator: ".")[1])))
    }

    @Test("a public client's tokens are bound to its key: the access token, and the refresh token for good")
    func publicClient() async throws {
        let (party, key, thief) = (try await RelyingParty.register(isPublic: true), try ProofKey(), try ProofKey())
        let answer = try await Self.token(key, try await Self.code(party))
        try #require(answer.status == 200, "\(answer.text)")
        #expect(answer.json["token_type"] == "DPoP" && answer.header("DPoP-Nonce") != nil)
        let access = try #require(answer.json["access_token"]?.string)
        #expect(try Self.claims(access)["cnf"]?["jkt"]?.string == key.thumbprint)
        #expect(try await Self.userInfo(key, access).status == 200)
        for refused in [
            try await Self.userInfo(thief, access), try await Self.userInfo(key, access, scheme: "Bearer"),
            try await party.userInfo(access),
            try await party.gateway.send(TestRequest("GET", "/userinfo").header("Authorization", "DPoP \(access)")),
        ] {
            #expect(refused.status == 401, "\(refused.text)")
        }
        let refresh = [
            ("grant_type", "refresh_token"), ("refresh_token", answer.json["refresh_token"]?.string ?? ""),
            ("client_id", party.id),
        ]
        let stolen = try await Self.token(thief, refresh)
        #expect(stolen.status == 400 && stolen.json["error"] == "invalid_grant", "\(stolen.text)")
        let bare = try await party.gateway.send(TestRequest("POST", "/v1/token").form(refresh))
        #expect(bare.status == 400 && bare.json["error"] == "invalid_grant", "\(bare.text)")
        // Neither try spent the token.
        let next = try await Self.token(key, refresh)
        #expect(next.status == 200 && next.json["token_type"] == "DPoP", "\(next.text)")
    }

    @Test("a proof is used once, and each fault is refused with a challenge")
    func faults() async throws {
        let (party, key) = (try await RelyingParty.register(isPublic: true), try ProofKey())
        let answer = try await Self.token(key, try await Self.code(party))
        let access = try #require(answer.json["access_token"]?.string, "\(answer.text)")
        let here = Self.origin + "/userinfo"
        let sound = try key.proof("GET", here, with: access)
        let request = TestRequest("GET", "/userinfo")
        #expect(try await Self.send(request, sound, token: access).status == 200)
        for proof in [
            sound, try key.proof("POST", here, with: access), try key.proof("GET", here),
            try key.proof("GET", "http://evil.example/userinfo", with: access), "no proof", "\(sound), \(sound)",
        ] {
            let refused = try await Self.send(request, proof, token: access)
            #expect(refused.status == 401 && refused.code == "invalid_dpop_proof", "\(refused.text)")
            #expect(refused.header("WWW-Authenticate")?.hasPrefix("DPoP error=\"invalid_dpop_proof\", algs=") == true)
        }
        let twice = request.header("DPoP", try key.proof("GET", here, with: access))
        #expect(try await Self.send(twice, try key.proof("GET", here, with: access), token: access).status == 401)
        let stale = try await Self.send(request, try key.proof("GET", here, with: access, nonce: "old"), token: access)
        #expect(stale.status == 401 && stale.code == "use_dpop_nonce" && stale.header("DPoP-Nonce") != nil)
    }

    @Test("a code that was asked for with a key is redeemed by that key alone")
    func boundCode() async throws {
        let (party, key, thief) = (try await RelyingParty.register(isPublic: true), try ProofKey(), try ProofKey())
        let asked = ["dpop_jkt": key.thumbprint]
        #expect(try await Self.token(key, try await Self.code(party, asked)).status == 200)
        let stolen = try await Self.token(thief, try await Self.code(party, asked))
        #expect(stolen.status == 400 && stolen.json["error"] == "invalid_grant", "\(stolen.text)")
        let malformed = try await party.gateway.get(party.request(["dpop_jkt": "x"]))
        #expect(malformed.header("Location")?.contains("error=invalid_request") == true)
    }

    @Test("a pushed request binds its code to the key of its proof, and names no other one")
    func pushed() async throws {
        let (party, key, thief) = (try await RelyingParty.register(isPublic: true), try ProofKey(), try ProofKey())
        func push(_ changes: [String: String] = [:]) async throws -> TestAnswer {
            let proof = try key.proof("POST", Self.origin + "/v1/par")
            return try await Self.send(TestRequest("POST", "/v1/par").form(party.parameters(changes)), proof)
        }
        let other = try await push(["dpop_jkt": thief.thumbprint])
        #expect(other.status == 400 && other.json["error"] == "invalid_request", "\(other.text)")
        let pushed = try await push()
        let reference = try #require(pushed.json["request_uri"]?.string, "\(pushed.text)")
        let visitor = try await Visitor.arrive()
        let browser = try await visitor.signIn("/authorize?client_id=\(party.id)&request_uri=\(reference)")
        let fields = [
            ("grant_type", "authorization_code"), ("code", try #require(browser.departureQuery["code"])),
            ("redirect_uri", RelyingParty.address), ("client_id", party.id), ("code_verifier", RelyingParty.verifier),
        ]
        #expect(try await Self.token(thief, fields).json["error"] == "invalid_grant")
    }

    @Test("a confidential client may change its key, and gets no bearer token where its operator demands proofs")
    func confidentialClient() async throws {
        let party = try await RelyingParty.register(["service_account": true, "dpop_bound_access_tokens": true])
        let grant = [
            ("grant_type", "client_credentials"), ("client_id", party.id), ("client_secret", party.secret ?? ""),
        ]
        let request = TestRequest("POST", "/v1/token").form(grant)
        let bare = try await party.gateway.send(request)
        #expect(bare.status == 400 && bare.json["error"] == "invalid_dpop_proof", "\(bare.text)")
        for key in [try ProofKey(), try ProofKey()] {
            let answer = try await Self.send(request, try key.proof("POST", Self.origin + "/v1/token"))
            #expect(answer.json["token_type"] == "DPoP", "\(answer.text)")
            let access = try #require(answer.json["access_token"]?.string)
            #expect(try Self.claims(access)["cnf"]?["jkt"]?.string == key.thumbprint)
            let seen = try await party.gateway.form(
                "/v1/token/introspect", [("token", access)], client: party.id, secret: party.secret)
            #expect(seen.json["token_type"] == "DPoP" && seen.json["cnf"]?["jkt"]?.string == key.thumbprint)
        }
    }

    @Test("the login endpoint binds a session to the app's key, and its calls need a proof")
    func login() async throws {
        let gateway = try GatewayProcess.current
        let (key, thief, email) = (try ProofKey(), try ProofKey(), Fresh.email())
        _ = try await gateway.signUp(email)
        let body: JSON = [
            "provider": "password", "client_id": "app",
            "credential": ["username": .string(email), "password": .string(GatewayProcess.password)],
        ]
        let signedIn = try await Self.send(
            TestRequest("POST", "/v1/sign-in").json(body), try key.proof("POST", Self.origin + "/v1/sign-in"))
        let session = try #require(signedIn.json["session"], "\(signedIn.text)")
        #expect(session["token_type"] == "DPoP")
        let access = try #require(session["access_token"]?.string)
        func account(_ key: ProofKey) async throws -> TestAnswer {
            let proof = try key.proof("GET", Self.origin + "/v1/account", with: access)
            return try await Self.send(TestRequest("GET", "/v1/account"), proof, token: access)
        }
        #expect(try await account(key).status == 200)
        #expect(try await account(thief).status == 401)
        #expect(try await gateway.get("/v1/account", bearer: access).code == "access_token_invalid")
        let refresh = TestRequest("POST", "/v1/token/refresh")
            .json(["refresh_token": session["refresh_token"] ?? .null])
        let stolen = try await Self.send(refresh, try thief.proof("POST", Self.origin + "/v1/token/refresh"))
        #expect(stolen.status == 401 && stolen.code == "refresh_token_invalid", "\(stolen.text)")
        let next = try await Self.send(refresh, try key.proof("POST", Self.origin + "/v1/token/refresh"))
        #expect(next.json["session"]?["token_type"] == "DPoP", "\(next.text)")
    }
}
