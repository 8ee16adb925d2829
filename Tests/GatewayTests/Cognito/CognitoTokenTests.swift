import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("Cognito's API: tokens", .gateway())
struct CognitoTokenTests {
    @Test("both refreshes give new tokens beside the same refresh token, where the rotation is off")
    func refresh() async throws {
        let api = try await CognitoAPI.current
        let tokens = try await api.anyone()
        var ids = [try tokens.access["jti"]?.string]
        for _ in 0..<2 {
            let refreshed = try CognitoTokensAnswer(
                try await api.call(
                    "InitiateAuth",
                    [
                        "AuthFlow": "REFRESH_TOKEN_AUTH",
                        "AuthParameters": ["REFRESH_TOKEN": .string(tokens.refreshToken)],
                    ]))
            #expect(refreshed.refreshToken.isEmpty)
            #expect(try refreshed.access["origin_jti"] == tokens.access["origin_jti"])
            #expect(try refreshed.access["auth_time"] == tokens.access["auth_time"])
            let other = try CognitoTokensAnswer(
                try await api.call("GetTokensFromRefreshToken", ["RefreshToken": .string(tokens.refreshToken)]))
            #expect(other.refreshToken.isEmpty)
            ids += [try refreshed.access["jti"]?.string, try other.access["jti"]?.string]
        }
        #expect(Set(ids.compactMap(\.self)).count == 5, "RFC 7519 §4.1.7: one id for each token")
    }

    @Test("a token of this dialect opens nothing elsewhere, and the gateway's own nothing here")
    func separate() async throws {
        let api = try await CognitoAPI.current
        let tokens = try await api.anyone()
        #expect(try await api.gateway.checkSession(tokens.accessToken).status == 401)
        #expect(try await api.gateway.refresh(tokens.refreshToken).status == 401)
        let own = try await api.gateway.signUp(Fresh.email())
        let user = try await api.call("GetUser", ["AccessToken": .string(own.accessToken)])
        #expect(user["error"] == "NotAuthorizedException" && user["message"] == "Invalid Access Token")
        let refreshed = try await api.call("GetTokensFromRefreshToken", ["RefreshToken": .string(own.refreshToken)])
        #expect(refreshed["error"] == "NotAuthorizedException" && refreshed["message"] == "Invalid Refresh Token.")
        let identity = try await api.call("GetUser", ["AccessToken": .string(tokens.idToken)])
        #expect(identity["error"] == "NotAuthorizedException")
        #expect(try await api.call("GetUser", ["AccessToken": .string(tokens.accessToken)])["error"] == nil)
    }

    @Test(
        "3-N3: a revoked access token of the dialect ends its session; an ID token is refused, and its session goes on",
        arguments: ["/v1/token/revoke", "/oauth2/revoke"])
    func revokeByOAuth(path: String) async throws {
        let api = try await CognitoAPI.current
        let tokens = try await api.anyone()
        let client = path == "/oauth2/revoke" ? "4example" : "app"
        let identity = try await api.gateway.form(
            path, [("client_id", client), ("token", tokens.idToken)], secret: nil)
        #expect(identity.status == 400 && identity.json["error"] == "unsupported_token_type", "\(identity.text)")
        #expect(try await api.call("GetUser", ["AccessToken": .string(tokens.accessToken)])["error"] == nil)
        let access = try await api.gateway.form(
            path, [("client_id", client), ("token", tokens.accessToken)], secret: nil)
        #expect(access.status == 200, "\(access.text)")
        let user = try await api.call("GetUser", ["AccessToken": .string(tokens.accessToken)])
        #expect(user["message"] == "Access Token has been revoked", "\(user.text)")
    }

    @Test("3-N4: the first sign-ins after an app gets a dialect find its keys")
    func firstSignIn() async throws {
        try await withGateway { gateway in
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            let dialects = JSONText(#"{"cognito": {"pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example"}}"#)
            try await gateway.change("update clients set dialects = \(dialects) where id = 'app'")
            let api = CognitoAPI(gateway: gateway, clientID: "4example")
            let asked: JSON = [
                "ClientId": "4example", "AuthFlow": "USER_PASSWORD_AUTH",
                "AuthParameters": ["USERNAME": .string(email), "PASSWORD": .string(GatewayProcess.password)],
            ]
            // Until the server knows the app, it refuses the client; from then on each sign-in must succeed.
            let first = try await poll { () -> TestAnswer? in
                let answer = try await api.raw("InitiateAuth", asked)
                return answer.json["__type"]?.string?.contains("ResourceNotFound") == true ? nil : answer
            }
            #expect(first.status == 200 && first.json["AuthenticationResult"] != nil, "\(first.text)")
        }
    }

    @Test("RevokeToken ends the session and its access tokens; another token is refused or ignored")
    func revoke() async throws {
        let api = try await CognitoAPI.current
        let (tokens, other) = (try await api.anyone(), try await api.anyone())
        let access = try await api.call("RevokeToken", ["Token": .string(tokens.accessToken)])
        #expect(access["error"] == "UnsupportedTokenTypeException")
        #expect(try await api.call("RevokeToken", ["Token": "unknown"]) == [:])
        #expect(try await api.call("RevokeToken", ["Token": .string(tokens.refreshToken)]) == [:])
        let user = try await api.call("GetUser", ["AccessToken": .string(tokens.accessToken)])
        #expect(user["error"] == "NotAuthorizedException" && user["message"] == "Access Token has been revoked")
        let refreshed = try await api.call("GetTokensFromRefreshToken", ["RefreshToken": .string(tokens.refreshToken)])
        #expect(
            refreshed["error"] == "NotAuthorizedException" && refreshed["message"] == "Refresh Token has been revoked")
        #expect(try await api.call("GetUser", ["AccessToken": .string(other.accessToken)])["error"] == nil)
    }

    @Test("GlobalSignOut ends every session of the account, and a sign-out elsewhere ends this one")
    func signOut() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let first = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let own = try SignedInAnswer(try await api.gateway.passwordSignIn(email, GatewayProcess.password))
        #expect(try await api.call("GlobalSignOut", ["AccessToken": .string(first.accessToken)]) == [:])
        #expect(try await api.gateway.checkSession(own.accessToken).code == "session_ended")
        let second = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let again = try SignedInAnswer(try await api.gateway.passwordSignIn(email, GatewayProcess.password))
        #expect(try await api.gateway.signOut(again.accessToken, scope: "global").status == 204)
        let user = try await api.call("GetUser", ["AccessToken": .string(second.accessToken)])
        #expect(user["message"] == "Access Token has been revoked", "\(user.text)")
    }

    @Test("a session of this dialect is in the account's list")
    func listed() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let own = try SignedInAnswer(try await api.gateway.passwordSignIn(email, GatewayProcess.password))
        let list = try await api.gateway.get("/v1/account/sessions", bearer: own.accessToken).json["sessions"]?.array
        #expect(try (list ?? []).contains { try $0["id"] == tokens.access["origin_jti"] })
    }

    @Test("an app without its dialect refuses the tokens of the dialect")
    func switchedOff() async throws {
        try await withGateway { gateway in
            let api = try await CognitoAPI.enabled(on: gateway)
            let tokens = try await api.anyone()
            try await gateway.change("update clients set dialects = '{}' where id = 'app'")
            _ = try await poll {
                let answer = try await api.raw(
                    "InitiateAuth",
                    ["AuthFlow": "USER_AUTH", "ClientId": "4example", "AuthParameters": ["USERNAME": "a"]])
                return answer.json["__type"] == "ResourceNotFoundException" ? () : nil
            }
            let user = try await api.raw("GetUser", ["AccessToken": .string(tokens.accessToken)])
            #expect(user.json["__type"] == "NotAuthorizedException")
            #expect(try await gateway.get("/\(CognitoAPI.pool)/.well-known/jwks.json").status == 404)
        }
    }
}

@Suite("Cognito's API: rotated refresh tokens and a confidential app", .gateway())
struct CognitoRotationTests {
    @Test("GetTokensFromRefreshToken rotates, REFRESH_TOKEN_AUTH is refused, and a late reuse ends the session")
    func rotation() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, rotation: "always")
        let tokens = try await api.anyone()
        let plain = try await api.call(
            "InitiateAuth",
            ["AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": ["REFRESH_TOKEN": .string(tokens.refreshToken)]])
        #expect(plain["error"] == "InvalidParameterException")
        func refresh(_ token: String) async throws -> JSON {
            try await api.call("GetTokensFromRefreshToken", ["RefreshToken": .string(token)])
        }
        let second = try CognitoTokensAnswer(try await refresh(tokens.refreshToken))
        #expect(!second.refreshToken.isEmpty && second.refreshToken != tokens.refreshToken)
        let third = try CognitoTokensAnswer(try await refresh(second.refreshToken))
        #expect(!third.refreshToken.isEmpty)
        let reused = try await refresh(tokens.refreshToken)
        #expect(reused["error"] == "RefreshTokenReuseException", "\(reused.text)")
        #expect(try await refresh(third.refreshToken)["error"] == "NotAuthorizedException")
    }
}
