import Cryptography
import JSON

/// Authorization requests that take codes elsewhere, and codes that are used twice or by others (RFC 9700).
extension Attack {
    static let openID = [
        Attack("O-01", .openID, "redirect addresses that resemble the registered one") { target in
            let app = try target.app()
            let address = app.redirectURI
            let changed = [
                "\(address).evil.example", "\(address)/../evil", "\(address)?x=1", "\(address)#x", "\(address)%0d%0a",
                "https://evil.example/?\(address)", "https://evil.example/#\(address)", address.uppercased(),
                address.replacing("://", with: "://evil.example@"), "//evil.example", "javascript:alert(1)", "",
            ]
            for text in changed where text != address {
                try await target.refuses(app.authorization(["redirect_uri": text, "prompt": "none"]), text)
            }
            let twice = app.authorization(["prompt": "none"]).path + "&redirect_uri=https%3A%2F%2Fevil.example"
            let object = "eyJhbGciOiJub25lIn0.eyJyZWRpcmVjdF91cmkiOiJodHRwczovL2V2aWwuZXhhbXBsZSJ9."
            for request in [.get(twice), app.authorization(["request": object, "prompt": "none"])] {
                let answer = try await target.send(request)
                if answer.location.hasPrefix("https://evil.example") { throw Broken("GET /authorize leads astray") }
            }
        },
        Attack("O-02", .openID, "a request without a proof key, or with a plain one") { target in
            let app = try target.app()
            let changes: [[String: String?]] = [
                ["code_challenge": nil, "code_challenge_method": nil], ["code_challenge": ""],
                ["code_challenge_method": "plain"], ["code_challenge_method": nil, "code_challenge": "short"],
            ]
            for change in changes {
                try await target.refusesAuthorization(app.authorization(change), "a weak proof key")
            }
        },
        Attack("O-02", .openID, "a code with another verifier, or with none") { target in
            var visitor = Visitor(target)
            try await visitor.signIn()
            let app = try target.app()
            for verifier in [PKCE.verifier(), "", nil] {
                let code = try await visitor.code()
                try await target.refuses(app.exchange(code, verifier: verifier), "another verifier")
            }
        },
        Attack("O-03", .openID, "a code that is used twice") { target in
            var visitor = Visitor(target)
            try await visitor.signIn()
            let exchange = try target.app().exchange(try await visitor.code())
            let first = try await target.send(exchange)
            guard let token = first.json["access_token"]?.string else {
                throw NotTried("POST /v1/token gave no token for a code: \(first.json["error"]?.string ?? "")")
            }
            try await target.refuses(exchange, "a spent code")
            try await target.refuses(.get("/v1/session").bearer(token), "the token of a code that was used twice")
        },
        Attack("3-C2", .openID, "a silent request that shows a page, or posts markup") { target in
            let app = try target.app()
            for prompt in ["none", "none login"] {
                try await target.refusesAuthorization(app.authorization(["prompt": prompt]), "prompt=\(prompt)")
            }
            let markup = "\"><script>alert(1)</script>"
            let form = try await target.send(
                app.authorization(["prompt": "none", "response_mode": "form_post", "state": markup]))
            if form.text.contains("<script>alert") { throw Broken("the form of form_post repeats markup of state") }
        },
        Attack("2.1.2", .openID, "the implicit and hybrid grants") { target in
            let app = try target.app()
            for type in ["token", "id_token", "code token", "code id_token", "none", ""] {
                try await target.refusesAuthorization(
                    app.authorization(["response_type": type]), "response_type=\(type)")
            }
        },
        Attack("2.4", .openID, "the password grant") { target in
            let (app, account) = (try target.app(), try target.account())
            try await target.refuses(
                .form(
                    "/v1/token",
                    [
                        ("grant_type", "password"), ("client_id", app.id), ("username", account.email),
                        ("password", account.password.revealedText),
                    ]), "the password grant")
        },
        Attack("O-10", .openID, "guessed references of stored requests") { target in
            let app = try target.app()
            let guess = Base64URL.encode(RandomBytes.system(32))
            let uri = "urn:ietf:params:oauth:request_uri:\(guess)"
            try await target.refuses(.get("/authorize", [("r", "au_\(guess)")]), "a guessed reference")
            try await target.refuses(
                .get("/authorize", [("client_id", app.id), ("request_uri", uri)]), "a guessed pushed request")
        },
        Attack("O-07", .openID, "a sign-out that leads to the attacker") { target in
            let app = try target.app()
            for address in ["https://evil.example/", "//evil.example", app.redirectURI] {
                let fields = [("post_logout_redirect_uri", address), ("client_id", app.id)]
                let answer = try await target.send(.get("/end-session", fields))
                if !answer.location.isEmpty { throw Broken("GET /end-session leads to \(address)") }
            }
        },
    ]
}

extension Target {
    /// Expects a refusal: on a page of the gateway, or as an error at the registered address.
    fileprivate func refusesAuthorization(_ request: AttackRequest, _ what: String) async throws {
        let answer = try await send(request)
        let isErrorAtApp =
            answer.location.hasPrefix(try app().redirectURI) && answer.location.parameter("error") != nil
            && answer.location.parameter("code") == nil
        guard isErrorAtApp || (400..<500).contains(answer.status) else {
            throw Broken("\(request.shown) with \(what) goes on: \(answer.status)")
        }
    }
}
