import Cryptography

/// A browser: it keeps cookies, fills in the sign-in form, and follows no redirection.
struct Visitor: Sendable {
    let target: Target
    private(set) var cookies: [String: String] = [:]

    init(_ target: Target) {
        self.target = target
    }

    mutating func send(_ request: AttackRequest) async throws -> AttackAnswer {
        let jar = cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
        let answer = try await target.send(jar.isEmpty ? request : request.with("Cookie", jar))
        for line in answer.cookies {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            cookies[String(pair[0])] = pair.count == 2 && !pair[1].isEmpty ? String(pair[1]) : nil
        }
        return answer
    }

    /// Takes a cookie that the server did not set.
    mutating func plant(_ name: String, _ value: String) { cookies[name] = value }

    /// Opens the sign-in page of the app, and returns the filled-in form.
    mutating func signInForm() async throws -> [(String, String)] {
        let (app, account) = (try target.app(), try target.account())
        let fields = app.loginFields
        let page = try await send(.get("/login", fields))
        guard let token = page.text.firstMatch(of: /name="form_token" value="([^"]+)"/) else {
            throw NotTried("GET /login shows no sign-in form: \(page.status)")
        }
        return fields + [
            ("form_token", String(token.output.1)), ("username", account.email),
            ("password", account.password.revealedText),
        ]
    }

    /// Signs the test account in on the hosted page.
    @discardableResult
    mutating func signIn() async throws -> AttackAnswer {
        let answer = try await send(.form("/login", try await signInForm()))
        guard answer.setsSession else {
            throw NotTried("the test account could not sign in on the page: \(answer.status)")
        }
        return answer
    }

    /// A code for the app, with the session of this browser.
    mutating func code() async throws -> String {
        let answer = try await send(try target.app().authorization())
        guard let code = answer.location.parameter("code") else {
            throw NotTried("GET /authorize gave no code: \(answer.status)")
        }
        return code
    }
}

extension Target.App {
    /// The verifier of every request of ours.
    static let verifier = PKCE.verifier()
    static let state = "attack"

    /// The parameters of the hosted sign-in page.
    var loginFields: [(String, String)] {
        [
            ("client_id", id), ("redirect_uri", redirectURI), ("state", Self.state),
            ("code_challenge", PKCE.challenge(Self.verifier)),
        ]
    }

    /// A correct authorization request, with other parameters; nil removes one.
    func authorization(_ changes: [String: String?] = [:]) -> AttackRequest {
        let correct =
            loginFields + [("response_type", "code"), ("code_challenge_method", "S256"), ("scope", "openid")]
        let kept = correct.filter { changes[$0.0] == nil }
        let changed = changes.sorted { $0.key < $1.key }.compactMap { name, value in value.map { (name, $0) } }
        return .get("/authorize", kept + changed)
    }

    /// The exchange of a code.
    func exchange(_ code: String, verifier: String? = verifier) -> AttackRequest {
        .form(
            "/v1/token",
            [
                ("grant_type", "authorization_code"), ("client_id", id), ("redirect_uri", redirectURI), ("code", code),
            ] + (verifier.map { [("code_verifier", $0)] } ?? []))
    }
}

extension String {
    /// The value of a parameter of this address, still percent-encoded.
    func parameter(_ name: String) -> String? {
        let query = split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return query.split(separator: "&").first { $0.hasPrefix("\(name)=") }.map {
            String($0.dropFirst(name.utf8.count + 1))
        }
    }
}
