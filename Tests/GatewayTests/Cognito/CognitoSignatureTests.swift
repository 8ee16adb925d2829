import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("Cognito's API: signatures of back ends", .gateway())
struct CognitoSignatureTests {
    @Test("without a signature, with another secret, another key or a revoked one nothing is answered")
    func keys() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let unsigned = try await api.raw("ListUsers", ["UserPoolId": .string(CognitoAPI.pool)])
        #expect(unsigned.status == 400 && unsigned.json["__type"] == "MissingAuthenticationTokenException")
        let guessed = try await CognitoBackEnd(api, key: backEnd.keyID, secret: String(backEnd.secret.reversed()))
        #expect(try await guessed.call("ListUsers")["error"] == "InvalidSignatureException")
        let unknown = try await CognitoBackEnd(api, key: "GWAAAAAAAAAAAAAAAAAA", secret: backEnd.secret)
        #expect(try await unknown.call("ListUsers")["error"] == "UnrecognizedClientException")
        let other = try await backEnd.call("ListUsers", ["UserPoolId": "eu-central-1_Other"])
        #expect(other["error"] == "ResourceNotFoundException", "\(other.text)")
        let revoked = try await api.gateway.deployment.run("clients", "revoke-key", "app", backEnd.keyID, "--yes")
        #expect(revoked.exitCode == 0, "\(revoked.errors)")
        try await poll {
            try await backEnd.call("ListUsers")["error"] == "UnrecognizedClientException" ? () : nil
        }
        let again = try await api.gateway.deployment.run("clients", "revoke-key", "app", backEnd.keyID, "--yes")
        #expect(again.exitCode == 1 && again.errors.contains("it is already so"), "\(again.errors)")
        let listed = try await api.gateway.deployment.run("clients", "access-keys", "app")
        let row = try #require(listed.output.split(separator: "\n").first { $0.hasPrefix(backEnd.keyID) })
        let cells = row.split(separator: "\t")
        #expect(cells.count == 9 && cells[1] == "admin" && cells[8].hasPrefix("2"), "\(row)")
        #expect(!listed.output.contains(backEnd.secret))
    }

    @Test("an operator does not exist for a key")
    func operators() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        let sub = try await api.signUp(email)
        try await api.gateway.change("insert into operators (account_id, role) values (\(sub)::uuid, 'viewer')")
        for (operation, more) in [
            ("AdminSetUserPassword", ["Password": "another password 5", "Permanent": true]), ("AdminDisableUser", [:]),
            ("AdminUserGlobalSignOut", [:]), ("AdminDeleteUser", [:]),
        ] as [(String, JSONObject)] {
            var parameters = more
            parameters["Username"] = .string(email)
            let refused = try await backEnd.call(operation, parameters)
            #expect(refused["error"] == "UserNotFoundException", "\(operation): \(refused.text)")
        }
        _ = try CognitoTokensAnswer(try await api.passwordAuth(email))
    }
}
