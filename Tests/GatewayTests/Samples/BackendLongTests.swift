import JSON
import TestSupport
import Testing

/// The code of `docs/backends.md`, and `samples/api`, with tokens of a running gateway.
@Suite("Back ends of a running gateway", .gatewayWithIssuer)
struct BackendLongTests {
    /// A user's tokens, and others that a back end of `app` must refuse.
    private static func tokens() async throws -> (user: SignedInAnswer, refused: [String]) {
        let gateway = try GatewayProcess.current
        let user = try await gateway.anyone()
        let other = "other-\(Fresh.text())"
        try await gateway.addClient(other, secret: nil)
        let members: JSONObject = ["subject": .string(Fresh.subject("apple"))]
        let ordered = try await gateway.ordering("openid", "apple", members)
        let idToken = try #require(ordered.json["session"]?["id_token"]?.string)
        let changed = try #require(Tokens.object(try await gateway.anyone().accessToken, part: 1))
        return (
            user,
            [
                Tokens.replacingPayload(of: user.accessToken, by: JSON.object(changed).bytes()), idToken,
                try await gateway.anyone(app: other).accessToken, user.refreshToken,
            ]
        )
    }

    @Test("the code of the page accepts a user's token, and refuses others", arguments: Backend.all)
    func page(backend: Backend) async throws {
        let gateway = try GatewayProcess.current
        let (user, refused) = try await Self.tokens()
        let tokens = [user.accessToken] + refused + [user.accessToken]
        let expected: [String?] = [user.account] + refused.map { _ in nil } + [user.account]
        for way in ["offline", "online"] {
            #expect(try await backend.users(way, tokens, issuer: gateway.issuer) == expected, "\(way)")
        }
        #expect(try await gateway.signOut(user.accessToken).status == 204)
        #expect(try await backend.users("offline", [user.accessToken], issuer: gateway.issuer) == [user.account])
        #expect(try await backend.users("online", [user.accessToken], issuer: gateway.issuer) == [nil])
    }

    @Test("samples/api accepts a user's token, and refuses an ended session online")
    func sample() async throws {
        let gateway = try GatewayProcess.current
        let (user, refused) = try await Self.tokens()
        try await SampleAPIProcess.run(issuer: gateway.issuer) { api in
            for path in ["/me", "/me/online"] {
                let answer = try await api.get(path, user.accessToken)
                #expect(answer.status == 200 && answer.json == ["id": .string(user.account)], "\(answer.text)")
                #expect(answer.header("Access-Control-Allow-Origin") == "http://localhost:3000")
                for token in refused { try Self.expectRefusal(try await api.get(path, token)) }
            }
            #expect(try await gateway.signOut(user.accessToken).status == 204)
            #expect(try await api.get("/me", user.accessToken).status == 200)
            try Self.expectRefusal(try await api.get("/me/online", user.accessToken))
        }
    }

    static func expectRefusal(_ answer: TestAnswer, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(answer.status == 401, "\(answer.text)", sourceLocation: sourceLocation)
        let challenge = answer.header("WWW-Authenticate")
        #expect(challenge == #"Bearer realm="sample-api", error="invalid_token""#, sourceLocation: sourceLocation)
        // Without it a page could not read the answer, and would not refresh its token.
        let origin = answer.header("Access-Control-Allow-Origin")
        #expect(origin == "http://localhost:3000", sourceLocation: sourceLocation)
    }
}

extension Trait where Self == GatewayTrait {
    /// A gateway that can be reached at the issuer of its tokens.
    static var gatewayWithIssuer: Self {
        .gateway(changes: { _ in
            let port = try FreePort.choose()
            return ["PORT": "\(port)", "PUBLIC_URL": "http://localhost:\(port)"]
        })
    }
}

extension GatewayProcess {
    /// The issuer of ``Trait/gatewayWithIssuer``.
    var issuer: String { "http://localhost:\(port)" }
}
