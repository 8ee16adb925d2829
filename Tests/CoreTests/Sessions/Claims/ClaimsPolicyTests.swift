import Foundation
import JSON
import Testing

@testable import Clients
@testable import Sessions

@Suite("Names and maps of custom claims")
struct ClaimsPolicyTests {
    @Test("a claim of the gateway can't be set by a service", arguments: ClaimName.reserved.sorted())
    func reserved(name: String) {
        #expect(!ClaimName.isAllowed(name))
        #expect(ClaimsPolicy.Mapping("display_name:\(name)") == nil)
    }

    @Test("every claim of an access token is reserved")
    func complete() {
        let facts = AccessTokenFacts(
            session: UUID(), account: UUID(), clientID: "app", provider: "apple", authTime: .noon, amr: [], acr: "1")
        let made =
            facts.claims(issuer: "i", clientID: "app", tokenID: "t", issuedAt: .noon, life: 60).object?.members.map(
                \.name) ?? []
        #expect(made.count == 12)
        #expect(Set(made).isSubset(of: ClaimName.reserved))
    }

    @Test("a custom claim never replaces a reserved one, from any source")
    func precedence() {
        let facts = AccessTokenFacts(
            session: UUID(), account: UUID(), clientID: "app", provider: "apple", authTime: .noon, amr: [], acr: "1",
            claims: ["acr": "9", "tier": "gold"])
        let claims = facts.claims(issuer: "i", clientID: "app", tokenID: "t", issuedAt: .noon, life: 60)
        #expect(claims["acr"] == "1")
        #expect(claims["tier"] == "gold")
    }

    @Test(
        "a map is attribute and claim, or one name for both",
        arguments: [
            ("plan", "plan", "plan"), ("plan:tier", "plan", "tier"),
            ("plan:https://x.org/t", "plan", "https://x.org/t"),
        ])
    func mapping(text: String, attribute: String, claim: String) {
        #expect(ClaimsPolicy.Mapping(text) == ClaimsPolicy.Mapping(attribute: attribute, claim: claim))
    }

    @Test("a value that is not a map is refused", arguments: ["", ":", "a:", ":b", "A:b", "a:b c", "a b:c"])
    func noMapping(text: String) {
        #expect(ClaimsPolicy.Mapping(text) == nil)
    }
}
