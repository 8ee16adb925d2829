import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Apps whose tokens must all be bound to a key (`dpop_bound_access_tokens`, RFC 9449 §5.2): no door has others.
@Suite("Apps with bound tokens only", .gateway()) struct BoundTokenTests {
    private static let origin = "http://localhost:8080"
    private static let bound: JSONObject = ["dpop_bound_access_tokens": true]

    /// Changes the settings of an app, and waits until the gateway knows them.
    private static func change(
        _ party: RelyingParty, _ openID: JSONObject, dialects: JSONObject = [:]
    ) async throws {
        try await party.gateway.change(
            """
            update clients set openid = \(JSONText(JSON.object(openID).text)), dialects = \(JSONText(JSON.object(dialects).text))
             where id = \(party.id)
            """)
        try await party.gateway.addClient("after-\(Fresh.text())", secret: nil)
    }

    /// Sends a request without a proof, which is refused, and then with one.
    private static func send(_ request: TestRequest, _ path: String, _ key: ProofKey) async throws -> TestAnswer {
        let gateway = try GatewayProcess.current
        let bare = try await gateway.send(request)
        #expect((400...401).contains(bare.status) && bare.text.contains("invalid_dpop_proof"), "\(bare.text)")
        return try await gateway.send(request.header("DPoP", try key.proof("POST", origin + path)))
    }

    private static func signIn(_ email: String, at party: RelyingParty) -> TestRequest {
        TestRequest("POST", "/v1/sign-in").json([
            "provider": "password", "client_id": .string(party.id),
            "credential": ["username": .string(email), "password": .string(GatewayProcess.password)],
        ])
    }

    private static func sessions(of party: RelyingParty) async throws -> Int {
        try await party.gateway.count("select count(*) from sessions where client_id = \(party.id)")
    }

    @Test("a sign-in at the login endpoint without a proof makes no session, with one it makes a bound one")
    func signIn() async throws {
        let (party, key) = (try await RelyingParty.register(Self.bound, isPublic: true), try ProofKey())
        let visitor = try await Visitor.arrive()
        let request = Self.signIn(visitor.email, at: party)
        let bare = try await party.gateway.send(request)
        #expect(bare.status == 401 && bare.code == "invalid_dpop_proof", "\(bare.text)")
        #expect(try await Self.sessions(of: party) == 0)
        let answer = try await Self.send(request, "/v1/sign-in", key)
        let session = try #require(answer.json["session"], "\(answer.text)")
        #expect(session["token_type"] == "DPoP")
        let refresh = TestRequest("POST", "/v1/token/refresh")
            .json(["refresh_token": session["refresh_token"] ?? .null])
        let next = try await Self.send(refresh, "/v1/token/refresh", key)
        #expect(next.json["session"]?["token_type"] == "DPoP", "\(next.text)")
    }

    @Test("every step of a sign-in needs the proof: a code by mail is not even sent without one")
    func steps() async throws {
        let (party, key) = (try await RelyingParty.register(Self.bound, isPublic: true), try ProofKey())
        try await party.gateway.change(
            "update clients set providers = array(select distinct unnest(providers || '{email_otp}')) where id = \(party.id)"
        )
        try await party.gateway.addClient("after-\(Fresh.text())", secret: nil)
        let visitor = try await Visitor.arrive()
        let begin = TestRequest("POST", "/v1/sign-in").json([
            "provider": "email_otp", "client_id": .string(party.id), "credential": ["username": .string(visitor.email)],
        ])
        let asked = try await Self.send(begin, "/v1/sign-in", key)
        let flow = try #require(asked.json["flow"]?.string, "\(asked.text)")
        let code = try await party.gateway.mailedCode(to: visitor.email, number: 2)
        #expect(party.gateway.mailedCodes(to: visitor.email) == 2, "one of the sign-up, one of this sign-in")
        let answer = TestRequest("POST", "/v1/sign-in/continue")
            .json(["flow": .string(flow), "response": ["code": .string(code)]])
        let signedIn = try await Self.send(answer, "/v1/sign-in/continue", key)
        #expect(signedIn.json["session"]?["token_type"] == "DPoP", "\(signedIn.text)")
    }

    @Test("a code and a device code are spent by the redemption with a proof, not by one without")
    func codes() async throws {
        let settings: JSONObject = ["dpop_bound_access_tokens": true, "device_flow": true]
        let (party, key) = (try await RelyingParty.register(settings), try ProofKey())
        let client = [("client_id", party.id), ("client_secret", party.secret ?? "")]
        func redeem(_ fields: [(String, String)]) async throws -> TestAnswer {
            try await Self.send(TestRequest("POST", "/v1/token").form(client + fields), "/v1/token", key)
        }
        let visitor = try await Visitor.arrive()
        let browser = try await visitor.signIn(party.request())
        let answer = try await redeem([
            ("grant_type", "authorization_code"), ("code", try #require(browser.departureQuery["code"])),
            ("redirect_uri", RelyingParty.address), ("code_verifier", RelyingParty.verifier),
        ])
        #expect(answer.status == 200 && answer.json["token_type"] == "DPoP", "\(answer.text)")
        let device = try await TestDevice.start(party)
        try await browser.visit("/device?user_code=\(device.userCode)")
        try await browser.submit("/device")
        try await visitor.answer("allow")
        let polled = try await redeem([("grant_type", TestDevice.grantType), ("device_code", device.deviceCode)])
        #expect(polled.status == 200 && polled.json["token_type"] == "DPoP", "\(polled.text)")
    }

    @Test("a session from before the setting goes on with a proof; a refresh without one spends nothing")
    func earlierSession() async throws {
        let (party, key) = (try await RelyingParty.register(isPublic: true), try ProofKey())
        let visitor = try await Visitor.arrive()
        let signedIn = try await party.gateway.send(Self.signIn(visitor.email, at: party))
        let token = try #require(signedIn.json["session"]?["refresh_token"], "\(signedIn.text)")
        #expect(signedIn.json["session"]?["token_type"] == "Bearer")
        try await Self.change(party, Self.bound)
        let refresh = TestRequest("POST", "/v1/token/refresh").json(["refresh_token": token])
        let next = try await Self.send(refresh, "/v1/token/refresh", key)
        #expect(next.status == 200 && next.json["session"]?["token_type"] == "DPoP", "\(next.text)")
    }

    @Test("the protocols of other vendors, which have no bound tokens, give such an app none")
    func dialects() async throws {
        let party = try await RelyingParty.register(isPublic: true)
        let visitor = try await Visitor.arrive(app: party.id)
        let (cognitoID, nativeID) = (Fresh.text(), UUID().uuidString.lowercased())
        let dialects: JSONObject = [
            "cognito": ["pool_id": .string(CognitoAPI.pool), "client_id": .string(cognitoID)],
            "native_auth": [
                "tenant_id": .string(NativeAuthAPI.tenantID), "application_id": .string(nativeID),
            ],
        ]
        let cognito = CognitoAPI(gateway: party.gateway, clientID: cognitoID)
        let native = NativeAuthAPI(gateway: party.gateway, tenant: NativeAuthAPI.tenantID, application: nativeID)
        let initiate: JSON = [
            "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": .string(cognitoID),
            "AuthParameters": ["USERNAME": .string(visitor.email), "PASSWORD": .string(GatewayProcess.password)],
        ]
        try await Self.change(party, [:], dialects: dialects)
        #expect(try await cognito.raw("InitiateAuth", initiate).json["AuthenticationResult"] != nil)
        #expect(try await native.passwordSignIn(visitor.email).json["access_token"] != nil)
        let before = try await Self.sessions(of: party)
        try await Self.change(party, Self.bound, dialects: dialects)
        let refused = try await cognito.raw("InitiateAuth", initiate)
        #expect(refused.status == 400 && refused.text.contains("NotAuthorizedException"), "\(refused.text)")
        #expect(try await native.passwordSignIn(visitor.email).error == "invalid_client")
        #expect(try await Self.sessions(of: party) == before)
    }
}
