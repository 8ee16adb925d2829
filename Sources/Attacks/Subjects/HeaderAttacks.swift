import Cryptography

/// Headers that pages must have, and headers of callers that must have no effect.
extension Attack {
    static let headers = [
        Attack("W-12", .headers, "a page in a frame, or with a script of its own") { target in
            for page in try await target.pages() {
                let policy = page.answer.header("Content-Security-Policy") ?? ""
                let isFramed =
                    !policy.contains("frame-ancestors 'none'") || page.answer.header("X-Frame-Options") != "DENY"
                if isFramed { throw Broken("\(page.name) may be framed") }
                if !policy.contains("default-src 'none'") || policy.contains("'unsafe-") {
                    throw Broken("\(page.name) may run scripts of its text: \(policy)")
                }
            }
        },
        Attack("F14", .headers, "a page in a window, embedding or guessed type of another site") { target in
            let wanted = [
                "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
                "X-Content-Type-Options": "nosniff",
            ]
            for page in try await target.pages() {
                for (name, value) in wanted.sorted(by: { $0.key < $1.key }) where page.answer.header(name) != value {
                    throw Broken("\(page.name) lacks \(name): \(value)")
                }
                let needed = ["Permissions-Policy"] + (target.isEncrypted ? ["Strict-Transport-Security"] : [])
                for name in needed where page.answer.header(name) == nil { throw Broken("\(page.name) lacks \(name)") }
            }
        },
        Attack("P-13", .headers, "a forged host in Host, X-Forwarded-Host or Forwarded") { target in
            let host = "evil.example"
            let headers = [("Host", host), ("X-Forwarded-Host", host), ("Forwarded", "host=\(host)")]
            for path in ["/.well-known/openid-configuration", "/login", "/admin"] {
                for (name, value) in headers {
                    let answer = try await target.send(.get(path).with(name, value))
                    if answer.wholeText.contains(host) { throw Broken("GET \(path) repeats the host of \(name)") }
                }
            }
        },
        Attack("W-14", .headers, "the length of a compressed page with a form token") { target in
            let answer = try await target.send(.get("/login").with("Accept-Encoding", "gzip, deflate, br, zstd"))
            if let coding = answer.header("Content-Encoding") { throw Broken("GET /login is compressed: \(coding)") }
        },
        Attack("F13", .headers, "a secret as the request id") { target in
            let secret = "rt_" + Base64URL.encode(RandomBytes.system(32))
            let answer = try await target.send(.get("/v1/session").with("X-Request-Id", secret))
            if answer.wholeText.contains(secret) { throw Broken("GET /v1/session repeats a secret as its request id") }
        },
    ]
}

extension Target {
    /// A page of each kind: a form, a refusal, an unknown path.
    fileprivate func pages() async throws -> [(name: String, answer: AttackAnswer)] {
        var pages: [(name: String, answer: AttackAnswer)] = []
        for path in ["/login", "/authorize", "/nowhere"] {
            let answer = try await send(.get(path).with("Accept", "text/html"))
            guard answer.header("Content-Type")?.hasPrefix("text/html") == true else {
                throw NotTried("GET \(path) is no page: \(answer.status)")
            }
            pages.append(("GET \(path)", answer))
        }
        return pages
    }
}
