/// Answers of providers that this browser did not ask for, and addresses that no app registered.
extension Attack {
    static let callbacks = [
        Attack("W-08", .callbacks, "a callback that no sign-in began") { target in
            let visit = try await ProviderVisit(target)
            let path = "/login/\(visit.provider)/callback"
            for state in ["", "x", String(visit.state.reversed()), visit.state + "A"] {
                var stranger = visit.visitor
                let answer = try await stranger.send(.get("\(path)?state=\(state)&code=x"))
                try visit.expectStopped(answer, "an unknown state")
            }
        },
        Attack("W-02", .callbacks, "the state of another browser") { target in
            let visit = try await ProviderVisit(target)
            var other = try await ProviderVisit(target).visitor
            try visit.expectStopped(try await target.send(visit.cancelled()), "a state without its cookie")
            try visit.expectStopped(try await other.send(visit.cancelled()), "the state of another browser")
        },
        Attack("W-04", .callbacks, "the answer of another provider") { target in
            var visit = try await ProviderVisit(target)
            let answer = try await visit.visitor.send(visit.cancelled([("iss", "https://evil.example")]))
            try visit.expectStopped(answer, "the issuer of another provider")
            var second = try await ProviderVisit(target)
            let path = second.provider == "google" ? "/login/microsoft/callback" : "/login/google/callback"
            let moved = try await second.visitor.send(second.cancelled(at: path))
            try second.expectStopped(moved, "the state of another provider")
        },
        Attack("W-09", .callbacks, "markup in the error of a provider") { target in
            let markup = "<script>alert(1)</script>"
            var visit = try await ProviderVisit(target)
            let unknown = AttackRequest.get(
                "/login/\(visit.provider)/callback", [("state", "x"), ("error", markup), ("error_description", markup)])
            let answers = [
                try await target.send(unknown),
                try await visit.visitor.send(visit.cancelled([("error_description", markup)])),
            ]
            for answer in answers where answer.wholeText.contains("alert(1)") {
                throw Broken("the callback of \(visit.provider) repeats the provider's text")
            }
        },
        Attack("3-R7", .callbacks, "a callback that a prefetch or a HEAD spends") { target in
            var visit = try await ProviderVisit(target)
            var head = visit.cancelled()
            head.method = "HEAD"
            for request in [head, visit.cancelled().with("Sec-Purpose", "prefetch")] {
                try visit.expectStopped(try await visit.visitor.send(request), "\(request.method) or a prefetch")
            }
            let real = try await visit.visitor.send(visit.cancelled())
            guard real.location.hasPrefix(try target.app().redirectURI) else {
                throw Broken("a refused prefetch spends the state")
            }
        },
        Attack("W-05", .callbacks, "a sign-in that leads to an address of the attacker") { target in
            let app = try target.app()
            let addresses = [
                "//evil.example", "/\\evil.example", "https:evil.example", "https://evil.example",
                "/admin//evil.example",
                "%2f%2fevil.example", "\thttps://evil.example", "\(app.redirectURI).evil.example",
                "javascript:alert(1)",
            ]
            for address in addresses {
                for name in ["return_to", "redirect_uri"] {
                    let fields = app.loginFields.filter { $0.0 != "redirect_uri" } + [(name, address)]
                    try await target.refuses(.get("/login", fields), "\(name) \(address)")
                }
            }
        },
    ]
}
