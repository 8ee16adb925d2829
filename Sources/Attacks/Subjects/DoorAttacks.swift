import Cryptography

/// Doors that strangers must find closed, and that no input breaks.
extension Attack {
    static let doors = [
        Attack("K-04", .doors, "the administration without a key, or with a guessed one") { target in
            let guess = "ak_" + Base64URL.encode(RandomBytes.system(30))
            for path in ["me", "accounts", "audit", "clients", "operators"].map({ "/admin/api/v1/\($0)" }) {
                try await target.refuses(.get(path), "no token")
                try await target.refuses(.get(path).bearer(guess), "a guessed access key")
            }
            for path in ["/admin", "/admin/accounts"] where try await target.send(.get(path)).status == 200 {
                throw Broken("GET \(path) shows the console to a stranger")
            }
        },
        Attack("A-33", .doors, "the metrics at the public address") { target in
            try await target.refuses(.get("/metrics"), "no credential")
        },
        Attack("O-32", .doors, "a script of another site, with the cookies of a browser") { target in
            let origin = "https://evil.example"
            for path in ["/authorize", "/login", "/v1/session", "/v1/account", "/v1/token", "/admin/api/v1/me"] {
                let call = AttackRequest.get(path).with("Origin", origin)
                var preflight = call.with("Access-Control-Request-Method", "POST")
                preflight.method = "OPTIONS"
                for request in [call, preflight] {
                    let answer = try await target.send(request)
                    let allowed = answer.header("Access-Control-Allow-Origin")
                    if allowed == origin || allowed == "*" || answer.header("Access-Control-Allow-Credentials") != nil {
                        throw Broken("\(request.shown) permits every origin")
                    }
                }
            }
        },
        Attack("J-21", .doors, "malformed bodies at every protocol") { target in
            let cognito = ("X-Amz-Target", "AWSCognitoIdentityProviderService.InitiateAuth")
            let nested = String(repeating: "[", count: 5_000)
            for body in ["", "{", "[]", "\"\u{FFFF}\"", nested, #"{"provider":null,"credential":1e999}"#] {
                let bytes = Array(body.utf8) + [0xFF]
                try await target.survives(.post("/v1/sign-in", "application/json", bytes))
                try await target.survives(.post("/", "application/x-amz-json-1.1", bytes).with(cognito.0, cognito.1))
            }
            for body in ["", "=&=&%", "grant_type=%00&client_id=%FF", String(repeating: "a=b&", count: 2_000)] {
                for path in ["/v1/token", "/authorize", "/app/oauth2/v2.0/initiate", "/app/signup/v1.0/start"] {
                    try await target.survives(
                        .post(path, "application/x-www-form-urlencoded", Array(body.utf8)))
                }
            }
        },
        Attack("F3", .doors, "introspection without the secret of the client") { target in
            let token = [("token", "x")]
            try await target.refuses(.form("/v1/token/introspect", token), "no client")
            if let app = try? target.app() {
                try await target.refuses(.form("/v1/token/introspect", token + [("client_id", app.id)]), "no secret")
            }
        },
    ]
}

extension Target {
    /// Malformed input gets a refusal, never a fault of the server, nor an answer of success.
    fileprivate func survives(_ request: AttackRequest) async throws {
        try await refuses(request, "a malformed body")
    }
}
