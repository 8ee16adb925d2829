import JSON
import Testing

@testable import Clients
@testable import SignIn
@testable import Vocabulary

@Suite("What an app asks its tokens for")
struct TokenOrderTests {
    @Test("an app gets no scope that its operator does not allow, and no ID token without openid")
    func limited() throws {
        let order = try TokenOrder(at: .gateway, scope: "openid email offline_access", nonce: "n")
        let some = order.limited(to: [.openid, .email])
        #expect(some.scopes == [.openid, .email] && some.nonce == "n")
        let none = order.limited(to: [.email, .offlineAccess])
        #expect(none.scopes == [.offlineAccess] && none.nonce == nil)
        #expect(order.limited(to: Set(TokenScope.own)) == order)
        #expect(TokenOrder.nativeAuth.limited(to: [.email]) == .nativeAuth)
        #expect(TokenOrder.cognito.limited(to: []) == .cognito)
        let client = AuthorizationRequestTests.client(openID: try OpenIDSettings(parsing: ["scopes": ["openid"]]))
        let request = SignInRequest(client: client, device: DeviceHint(), tokens: order, caller: TestCore.caller)
        #expect(request.tokens.scopes == [.openid])
    }

    private func order(_ scope: String?, nonce: String? = nil) throws(Rejection) -> TokenOrder {
        try TokenOrder(at: .gateway, scope: scope, nonce: nonce)
    }

    @Test(
        "known scopes count in any order, once; unknown ones have no effect",
        arguments: [
            ("openid", [.openid]), ("email openid", [.openid, .email]), (" openid  openid ", [.openid]),
            ("openid offline_access OPENID", [.openid, .offlineAccess]),
            ("phone profile email openid", [.openid, .profile, .email, .phone]),
        ] as [(String, Set<TokenScope>)])
    func scopes(scope: String, scopes: Set<TokenScope>) throws {
        #expect(try order(scope).scopes == scopes)
    }

    @Test("without openid there is no ID token, whatever the nonce", arguments: [nil, "", "email profile", "openidx"])
    func withoutOpenID(scope: String?) throws {
        for nonce in [nil, "n", "é"] { #expect(try order(scope, nonce: nonce) == .gateway) }
    }

    @Test("the scopes of an answer have one order")
    func answered() throws {
        #expect(try order("phone email profile openid").scope == "openid profile email phone")
        #expect(TokenOrder.gateway.scope == nil)
    }

    @Test("a nonce is kept as it is, up to 512 bytes of visible ASCII")
    func nonces() throws {
        for nonce in ["n-0S6_WzA2Mj", " ~", String(repeating: "n", count: 512)] {
            #expect(try order("openid", nonce: nonce).nonce == nonce)
        }
        for nonce in ["", "\u{1F}", "a\u{7F}", "é", String(repeating: "n", count: 513)] {
            #expect(throws: Rejection.invalidField(.nonce, .malformed)) { try order("openid", nonce: nonce) }
        }
    }
}
