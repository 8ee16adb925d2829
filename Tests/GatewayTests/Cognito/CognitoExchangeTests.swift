import Clients
import Foundation
import JSON
import Testing

@testable import Cognito

/// The rules of `GetDerivedToken`.
@Suite("Cognito's API: requests for derived tokens")
struct CognitoExchangeTests {
    private static func exchange(_ members: JSONObject) throws -> CognitoExchange {
        var body: JSONObject = ["SubjectToken": "token", "SubjectTokenType": "ACCESS_TOKEN", "Audiences": ["orders"]]
        for member in members.members { body[member.name] = member.value }
        return try CognitoExchange(CognitoRequest(body: body))
    }

    @Test("a request names a token and one service, as audience or as resource")
    func members() throws {
        let exchange = try Self.exchange(["Scopes": ["email", "unknown"], "RequestedTokenType": "ACCESS_TOKEN"])
        #expect(exchange.subject == "token" && exchange.audience == "orders" && exchange.scopes == [.email])
        let resource = try Self.exchange(["Audiences": [], "Resources": ["stock"]])
        #expect(resource.audience == "stock" && resource.scopes == nil)
    }

    @Test(
        "other tokens, actors and faulty lists are refused",
        arguments: [
            ["SubjectToken": .null], ["SubjectTokenType": .null], ["SubjectTokenType": "ID_TOKEN"],
            ["SubjectTokenType": "SAML2"], ["SubjectTokenType": "other"], ["RequestedTokenType": "ID_TOKEN"],
            ["SubjectTokenProviderName": "Google"], ["ActorToken": "token"], ["ActorTokenType": "ACCESS_TOKEN"],
            ["Audiences": []], ["Audiences": ["a", "b"]], ["Audiences": [""]], ["Resources": ["stock"]],
            ["Audiences": [.string(String(repeating: "a", count: 257))]], ["Audiences": "orders"],
            ["Scopes": .array(Array(repeating: "email", count: 51))],
        ] as [JSONObject])
    func faults(members: JSONObject) {
        #expect(throws: CognitoError.self) { try Self.exchange(members) }
    }

    @Test("the granted scopes are those of the user's token, without that of the API")
    func scopes() throws {
        #expect(try Self.exchange([:]).granted(of: [.openid, .email, .cognitoAPI]) == [.openid, .email])
        #expect(try Self.exchange([:]).granted(of: [.cognitoAPI]) == [])
        let asked = try Self.exchange(["Scopes": ["email", "phone", "aws.cognito.signin.user.admin"]])
        #expect(try asked.granted(of: [.openid, .email, .cognitoAPI]) == [.email])
        #expect(throws: CognitoError.self) { try asked.granted(of: [.openid, .cognitoAPI]) }
    }
}
