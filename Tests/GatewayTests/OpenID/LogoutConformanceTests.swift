import Foundation
import JSON
import Testing

/// Modelled on the RP-initiated logout plan of the OpenID Foundation.
extension OpenIDTests {
    private static let bye = "https://rp.example/bye"
    private static let settings: JSONObject = ["post_logout_redirect_uris": [.string(bye)]]

    private static func signedIn() async throws -> (party: RelyingParty, visitor: Visitor, tokens: TokenAnswer) {
        let party = try await RelyingParty.register(settings)
        let visitor = try await Visitor.arrive()
        return (party, visitor, try await party.tokens(try await visitor.signIn(party.request())))
    }

    private static func address(_ fields: [(String, String)]) -> String {
        var components = URLComponents()
        components.queryItems = fields.map { URLQueryItem(name: $0.0, value: $0.1) }
        return "/end-session?" + (components.percentEncodedQuery ?? "")
    }

    private static func isSignedOut(_ party: RelyingParty, _ visitor: Visitor) async throws -> Bool {
        let answer = try await visitor.browser.visit(party.request(["prompt": "none"]))
        return answer.header("Location")?.contains("error=login_required") == true
    }

    @Test("oidcc-rp-initiated-logout, -no-state: back to the app with its state alone, and signed out")
    func logout() async throws {
        for state in ["x1", nil] {
            let (party, visitor, tokens) = try await Self.signedIn()
            var fields = [("id_token_hint", tokens.idToken), ("post_logout_redirect_uri", Self.bye)]
            if let state { fields.append(("state", state)) }
            try await visitor.browser.visit(Self.address(fields))
            #expect(visitor.browser.departure == (state.map { "\(Self.bye)?state=\($0)" } ?? Self.bye))
            #expect(try await Self.isSignedOut(party, visitor))
            #expect(try await party.userInfo(tokens.access).status == 401)
            // The app may repeat it: nothing is left to end.
            try await visitor.browser.visit(Self.address(fields))
            #expect(visitor.browser.departure?.hasPrefix(Self.bye) == true)
        }
    }

    @Test("oidcc-rp-initiated-logout by POST")
    func posted() async throws {
        let (party, visitor, tokens) = try await Self.signedIn()
        try await visitor.browser.post(
            "/end-session", [("id_token_hint", tokens.idToken), ("post_logout_redirect_uri", Self.bye)])
        #expect(visitor.browser.departure == Self.bye)
        #expect(try await Self.isSignedOut(party, visitor))
    }

    @Test(
        "-bad-post-logout-redirect-uri, -query-added, -modified-id-token-hint, -bad-id-token-hint, -no-id-token-hint: a page",
        arguments: ["address", "query", "modified", "unsigned", "foreign", "none"])
    func refused(fault: String) async throws {
        let (party, visitor, tokens) = try await Self.signedIn()
        var (hint, back): (String?, String) = (tokens.idToken, Self.bye)
        switch fault {
        case "address": back = "https://rp.example/elsewhere"
        case "query": back += "?foo=bar"
        case "modified": hint = "\(tokens.idToken.dropLast(4))AAAA"
        case "unsigned":
            let payload = tokens.idToken.split(separator: ".")[1]
            hint = "eyJhbGciOiJub25lIn0.\(payload)."
        case "foreign": hint = tokens.access
        default: hint = nil
        }
        let fields = [("post_logout_redirect_uri", back)] + (hint.map { [("id_token_hint", $0)] } ?? [])
        try await visitor.browser.visit(Self.address(fields))
        #expect(visitor.browser.page.status == 200 && visitor.browser.departure == nil)
        #expect(try await party.userInfo(tokens.access).status == 200)
        try await visitor.browser.submit("/logout")
        #expect(visitor.browser.departure == nil)
        #expect(try await Self.isSignedOut(party, visitor))
    }

    @Test("-no-post-logout-redirect-uri: signed out, a page; -no-params, -only-state: a button first")
    func withoutAddress() async throws {
        let (party, visitor, tokens) = try await Self.signedIn()
        try await visitor.browser.visit(Self.address([("id_token_hint", tokens.idToken)]))
        #expect(visitor.browser.page.status == 200 && visitor.browser.departure == nil)
        #expect(try await Self.isSignedOut(party, visitor))
        for fields in [[], [("state", "s")]] {
            let (party, visitor, _) = try await Self.signedIn()
            try await visitor.browser.visit(Self.address(fields))
            try await visitor.browser.submit("/logout")
            #expect(try await Self.isSignedOut(party, visitor))
        }
    }

    @Test("A hint of another user ends nothing without a yes; another client_id is refused")
    func hintOfAnother() async throws {
        let (_, _, annTokens) = try await Self.signedIn()
        let (party, bob, tokens) = try await Self.signedIn()
        let fields = [("id_token_hint", annTokens.idToken), ("post_logout_redirect_uri", Self.bye)]
        try await bob.browser.visit(Self.address(fields))
        #expect(bob.browser.departure == nil && bob.browser.page.forms.contains { $0.action == "/logout" })
        #expect(try await party.userInfo(tokens.access).status == 200)
        let wrong = try await bob.browser.visit(
            Self.address([("id_token_hint", tokens.idToken), ("client_id", "app")]))
        #expect(wrong.status == 400)
    }
}
