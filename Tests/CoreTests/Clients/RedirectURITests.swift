import Testing

@testable import Clients

@Suite struct RedirectURITests {
    @Test(
        "A valid redirect address has a kind",
        arguments: [
            ("https://app.example.org/signed-in", RedirectURI.Kind.https),
            ("https://app.example.org:8443/signed-in?from=gateway", .https), ("https://app.example.org", .https),
            ("http://localhost:3000/signed-in", .localhost), ("http://127.0.0.1/signed-in", .loopback),
            ("http://127.0.0.1:51004/signed-in", .loopback), ("http://[::1]:51004/signed-in", .loopback),
            ("org.example.app:/signed-in", .customScheme), ("org.example.app://signed-in", .customScheme),
            ("org.example.app:///signed-in", .customScheme), ("org.example.app://host:8080/signed-in", .customScheme),
            ("msauth://org.example.app/ga0RGNYHvNM5d0SLGQfpQWAPGJ8%3D", .customScheme),
            ("msauth://org.example.app/ga0RGNYHvNM5d0SLGQfpQWAPGJ8=", .customScheme),
        ])
    func kinds(_ text: String, _ kind: RedirectURI.Kind) throws {
        let uri = try #require(RedirectURI(text))
        #expect(uri.kind == kind)
        #expect(uri.text == text)
    }

    @Test(
        "An invalid redirect address is refused",
        arguments: [
            "", "/signed-in", "//evil.example", "/\\evil.example", "https:evil.example", "https:/evil.example",
            "https:///evil.example", "https://", "https://ok.example@evil.example/", "https://ok.example#fragment",
            "https://ok.example/\tcb", "https://ok.example/\ncb", "https://ok.example/ cb", "https://OK.example/cb",
            "HTTPS://ok.example/cb", "https://ok..example/", "https://.ok.example/", "https://ok.example./",
            "https://ok.example:0/", "https://ok.example:080/", "https://ok.example:65536/", "https://ok.example:/",
            "https://ok%2eexample/", "https://ök.example/", "http://app.example.org/cb", "http://10.0.0.1/cb",
            "http://127.0.0.2/cb", "http://localhost.evil.example/cb", "javascript:alert(1)", "data:text/html,x",
            "msauth://app/ga0RGNYHvNM5d0SLGQfpQWAPGJ8=", "msauth://org.example.app/", "msauth:/org.example.app/x",
            "msauth://org.example.app/ga0RGNYHvNM5d0SLGQfpQWAPGJ8=?next=x",
            "msauth2://org.example.app/ga0RGNYHvNM5d0SLGQfpQWAPGJ8=",
            "myapp:/cb", "org.example.app:cb", "org..app:/cb", ".app:/cb", "1org.app:/cb", "file:///etc/passwd",
            "org.example.app://host:~443/cb", "org.example.app://user@host/cb", "org.example.app://[host/cb",
            "org.example.app://host:1:2/cb", "org.example.app://ho%73t/cb",
            "https://ok.example/\u{0}", "https://ok.example/\\evil", "https://[::2]/cb", "http://[::1]x/cb",
        ])
    func refusals(_ text: String) {
        #expect(RedirectURI(text) == nil)
    }

    @Test("An address of more than 512 bytes is refused")
    func length() {
        let start = "https://ok.example/"
        #expect(RedirectURI(start + String(repeating: "a", count: 512 - start.utf8.count)) != nil)
        #expect(RedirectURI(start + String(repeating: "a", count: 513 - start.utf8.count)) == nil)
    }

    @Test(
        "Only the port of a loopback address may differ from the registered one",
        arguments: [
            ("http://127.0.0.1:51004/cb", "http://127.0.0.1/cb", true),
            ("http://127.0.0.1/cb", "http://127.0.0.1:9000/cb", true),
            ("http://[::1]:51004/cb", "http://[::1]/cb", true), ("http://127.0.0.1:51004/cb", "http://[::1]/cb", false),
            ("http://127.0.0.1:51004/other", "http://127.0.0.1/cb", false),
            ("http://127.0.0.1:51004/cb?x=1", "http://127.0.0.1/cb", false),
            ("http://localhost:3001/cb", "http://localhost:3000/cb", true),
            ("http://localhost/cb", "http://127.0.0.1/cb", false),
            ("https://a.example/cb", "https://a.example/cb", true),
            ("https://a.example/cb/", "https://a.example/cb", false),
            ("https://a.example/cb?x", "https://a.example/cb", false),
            ("https://a.example:443/cb", "https://a.example/cb", false),
            ("https://a.example/%63b", "https://a.example/cb", false),
        ])
    func coverage(_ asked: String, _ registered: String, _ isCovered: Bool) throws {
        let registered = try #require(RedirectURI(registered))
        #expect(try #require(RedirectURI(asked)).isCovered(by: registered) == isCovered)
    }

    @Test("Parameters are encoded and appended to the existing query")
    func parameters() throws {
        let plain = try #require(RedirectURI("org.example.app:/cb"))
        #expect(
            plain.adding([("code", "a+b"), ("state", "x&y=z#")]) == "org.example.app:/cb?code=a%2Bb&state=x%26y%3Dz%23")
        let queried = try #require(RedirectURI("https://a.example/cb?from=us"))
        #expect(queried.adding([("code", "c")]) == "https://a.example/cb?from=us&code=c")
    }

    @Test("A policy names the origin, else the scheme")
    func policySource() throws {
        #expect(try #require(RedirectURI("https://a.example:8443/cb?x")).policySource == "https://a.example:8443")
        #expect(try #require(RedirectURI("org.example.app:/cb")).policySource == "org.example.app:")
    }
}
