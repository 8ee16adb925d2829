import Cryptography
import JSON

/// Tokens that the gateway did not issue, or no longer honours.
extension Attack {
    static let tokens = [
        Attack("J-06", .tokens, "an access token without a signature, in every spelling of alg none") { target in
            let token = try TokenParts(try await target.tokens().access).unsigned()
            for name in ["none", "None", "NONE", "nOnE"] {
                try await target.refusesToken(token.header(["alg": .string(name)]), "alg \(name)")
            }
            try await target.refusesToken(token.header(["alg": nil]), "no alg")
        },
        Attack("J-07", .tokens, "an access token with a published key as its HMAC secret") { target in
            let token = try TokenParts(try await target.tokens().access).header(["alg": "HS256"])
            for secret in try await target.publishedSecrets() {
                let forged = token.signed { HMACSHA256.code($0, key: secret) }
                try await target.refusesToken(forged, "alg HS256 and a published key")
            }
        },
        Attack("J-08", .tokens, "an access token with its own key, key address or path as key id") { target in
            let (token, key) = (try TokenParts(try await target.tokens().access), try PrivateKey.generateP256())
            let headers: [[String: JSON?]] = [
                ["jwk": key.publicKey.jwk(id: "own", algorithm: .ES256), "kid": "own"], ["kid": nil],
                ["jku": "https://evil.example/keys", "kid": "own"], ["x5u": "https://evil.example/chain"],
                ["kid": "../../../../dev/null"], ["kid": "' or 1=1 --"], ["crit": ["exp"]],
            ]
            for header in headers {
                let forged = try token.header(header).signed { try key.sign($0, algorithm: .ES256) }
                try await target.refusesToken(forged, "an own key and \(header.keys.sorted().joined(separator: ", "))")
            }
        },
        Attack("S-19", .tokens, "an ID token instead of an access token") { target in
            guard let token = try await target.tokens().identity else { throw NotTried("the app gets no ID token") }
            for path in ["/v1/session", "/v1/account", "/userinfo"] {
                try await target.refuses(.get(path).bearer(token), "an ID token")
            }
        },
        Attack("F1", .tokens, "an app's access token at the administration, also with another audience") { target in
            let token = try await target.tokens().access
            try await target.refuses(.get("/admin/api/v1/me").bearer(token), "an app's access token")
            let changed = try TokenParts(token).claims(["aud": "/admin/api/v1", "client_id": "console"])
            try await target.refuses(.get("/admin/api/v1/me").bearer(changed.text), "changed claims")
        },
        Attack("S-07", .tokens, "the tokens of a session after its sign-out") { target in
            let tokens = try await target.signIn()
            let end = try await target.send(.json("/v1/sign-out", ["scope": "local"]).bearer(tokens.access))
            guard end.status < 300 else { throw NotTried("POST /v1/sign-out answered \(end.status)") }
            try await target.refuses(.get("/v1/session").bearer(tokens.access), "the token of an ended session")
            try await target.refuses(Target.refreshing(tokens.refresh), "the token of an ended session")
        },
        Attack("S-02", .tokens, "a spent refresh token after the next one was spent") { target in
            let first = try await target.signIn()
            let second = try await target.refresh(first.refresh)
            guard first.refresh != second.refresh else { throw NotTried("the app keeps its refresh tokens") }
            let third = try await target.refresh(second.refresh)
            try await target.refuses(Target.refreshing(first.refresh), "a spent token")
            try await target.refuses(Target.refreshing(third.refresh), "the newest token after a spent one")
        },
    ]
}

extension Target {
    fileprivate func refusesToken(_ token: TokenParts, _ what: String) async throws {
        try await refuses(.get("/v1/session").bearer(token.text), "a token with \(what)")
    }
}
