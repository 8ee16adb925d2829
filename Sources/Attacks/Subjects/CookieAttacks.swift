import Cryptography

/// Cookies that leak, that were set from outside, or that another site's form uses.
extension Attack {
    static let cookies = [
        Attack("S-16", .cookies, "a cookie that leaks to another site, host or script") { target in
            var visitor = Visitor(target)
            var lines = try await visitor.send(.get("/login")).cookies
            if let provider = try? await target.provider() {
                lines += try await visitor.send(.get("/login/\(provider)", try target.app().loginFields)).cookies
            }
            if (try? target.account()) != nil { lines += try await visitor.signIn().cookies }
            if lines.isEmpty { throw NotTried("no page sets a cookie") }
            for line in lines { try expectClosed(line) }
        },
        Attack("S-11", .cookies, "a session cookie from before the sign-in") { target in
            let planted = Base64URL.encode(RandomBytes.system(48))
            var visitor = Visitor(target)
            visitor.plant("__Host-session", planted)
            try await visitor.signIn()
            if visitor.cookies["__Host-session"] == planted { throw Broken("the sign-in keeps the planted session") }
        },
        Attack("L-13", .cookies, "a sign-in form of another site") { target in
            var (user, attacker) = (Visitor(target), Visitor(target))
            let form = try await user.signInForm()
            _ = try await attacker.send(.get("/login"))
            let bare = form.filter { $0.0 != "form_token" }
            for (what, answer) in [
                ("no form token", try await user.send(.form("/login", bare))),
                ("another browser's form token", try await attacker.send(.form("/login", form))),
            ] where answer.setsSession { throw Broken("POST /login with \(what) signs in") }
        },
    ]

    /// The rules of RFC 6265bis for cookies that no other host, site or script may touch.
    private static func expectClosed(_ line: String) throws(Broken) {
        let parts = line.split(separator: ";").map { $0.drop { $0 == " " } }
        guard let pair = parts.first, !pair.hasSuffix("=") else { return }
        let name = pair.prefix { $0 != "=" }
        for attribute in ["Secure", "HttpOnly", "Path=/"] where !parts.contains(attribute[...]) {
            throw Broken("the cookie \(name) lacks \(attribute)")
        }
        guard name.hasPrefix("__Host-") else { throw Broken("the cookie \(name) is not bound to its host") }
        if parts.contains("SameSite=Lax") || parts.contains("SameSite=Strict") { return }
        let age = parts.first { $0.hasPrefix("Max-Age=") }.flatMap { Int($0.dropFirst(8)) } ?? .max
        guard name.hasPrefix("__Host-flow-"), age <= 600, pair.utf8.count < 200 else {
            throw Broken("other sites send the cookie \(name)")
        }
    }
}
