import Testing

@testable import Web

extension BrowserTests {
    /// The effect of `SameSite`, observed in the browser.
    @Suite struct Cookies {
        @Test(
            "S-16 Apple's cross-site post sends only the flow's cookie; our page's own post also sends the session's")
        func formPost() async throws {
            let gateway = try GatewayProcess.current
            try await Browser.run(gateway) { browser in
                try await browser.signUp(Fresh.email(), gateway: gateway)
                try await browser.open(.signInMethods)
                try await browser.click("#link-apple")
                try await browser.waitFor("#allow")
                _ = try await browser.requests()
                try await browser.allow(as: Fresh.email())
                try await browser.arrive(at: "/account/sign-in-methods")
                let posts = try await browser.requests().filter { $0.method == "POST" }
                let crossing = try #require(posts.first { $0.address == browser.origin + "/login/apple/callback" })
                #expect(crossing.cookies.count == 1)
                #expect(crossing.cookies.allSatisfy { $0.hasPrefix("__Host-flow-") })
                #expect(crossing.site == "cross-site")
                for name in ["__Host-session", "__Host-form"] {
                    let reasons = crossing.blocked[name] ?? []
                    #expect(reasons.count == 1, "\(name)")
                    // The word depends on the version of the browser.
                    #expect(reasons.allSatisfy { ["SameSiteLax", "SchemefulSameSiteLax"].contains($0) }, "\(reasons)")
                }
                let own = try #require(posts.first { $0.address == browser.origin + "/login/apple/complete" })
                #expect(own.cookies.filter { $0.hasPrefix("__Host-flow-") } == crossing.cookies)
                #expect(own.cookies.contains("__Host-session"))
                #expect(own.site == "same-origin")
                #expect(own.blocked.isEmpty)
            }
        }

        @Test("A provider's redirect sends the cookies of the session and the flow")
        func redirect() async throws {
            let gateway = try GatewayProcess.current
            try await Browser.run(gateway) { browser in
                try await browser.signUp(Fresh.email(), gateway: gateway)
                try await browser.open(.signInMethods)
                try await browser.click("#link-google")
                try await browser.waitFor("#allow")
                _ = try await browser.requests()
                try await browser.allow(as: Fresh.email())
                try await browser.arrive(at: "/account/sign-in-methods")
                let landing = try #require(
                    try await browser.requests().first {
                        $0.address.hasPrefix(browser.origin + "/login/google/callback?")
                    })
                #expect(landing.method == "GET")
                #expect(landing.cookies.contains("__Host-session"))
                #expect(landing.cookies.filter { $0.hasPrefix("__Host-flow-") }.count == 1)
                #expect(landing.site == "cross-site")
                #expect(landing.blocked.isEmpty)
            }
        }
    }
}
