import Clients
import Foundation
import JSON
import Testing

@Suite("Cognito's API: the user's sessions", .gateway())
struct CognitoSessionTests {
    @Test("a user sees the own sessions, the newest first, with the current one marked")
    func listed() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let first = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let second = try CognitoTokensAnswer(try await api.passwordAuth(email))
        _ = try await api.anyone()
        // The confirmation of the sign-up left one more, which nobody fetched.
        let sessions = try await sessions(api, first).prefix(2)
        let ids: [JSON?] = [try Self.id(second), try Self.id(first)]
        #expect(sessions.map { $0["SessionId"] } == ids)
        #expect(sessions.map { $0["IsCurrentSession"] } == [false, true])
        for session in sessions {
            #expect(session["SessionType"] == "TOKEN" && session["ClientId"] == "4example")
            #expect(session["LastIPAddress"] == "127.0.0.1" && session["OriginSessionId"] == nil)
            #expect(session["SessionId"]?.string?.hasPrefix("tkn") == true)
        }
        let created = try #require(sessions[1]["CreateDate"]?.double)
        #expect(abs(created - Double(try first.access["auth_time"]?.integer ?? 0)) < 60)
    }

    @Test("another session is revoked at once, with its audit row; the own one only by a sign-out")
    func revoked() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let (own, other) = (
            try CognitoTokensAnswer(try await api.passwordAuth(email)),
            try CognitoTokensAnswer(try await api.passwordAuth(email))
        )
        let refused = try await revoke(api, own, try Self.id(own))
        #expect(refused["error"] == "InvalidParameterException", "\(refused.text)")
        #expect(try await revoke(api, own, try Self.id(other)) == [:])
        let user = try await api.call("GetUser", ["AccessToken": .string(other.accessToken)])
        #expect(user["message"] == "Access Token has been revoked", "\(user.text)")
        let again = try await revoke(api, own, try Self.id(other))
        #expect(again["error"] == "ResourceNotFoundException", "\(again.text)")
        let left = try await sessions(api, own).map { $0["SessionId"] }
        let (kept, gone) = (try Self.id(own), try Self.id(other))
        #expect(left.contains(kept) && !left.contains(gone))
        let account = try #require(try own.access["sub"]?.string)
        let ended = try await api.gateway.audit(account: account).filter { $0.action == "session_ended" }
        #expect(ended.map(\.reason) == ["ended_by_owner"])
        #expect(ended.map(\.session) == [try other.access["origin_jti"]?.string])
    }

    @Test("the session of another user is not found")
    func foreign() async throws {
        let api = try await CognitoAPI.current
        let (one, other) = (try await api.anyone(), try await api.anyone())
        let answer = try await revoke(api, one, try Self.id(other))
        #expect(answer["error"] == "ResourceNotFoundException", "\(answer.text)")
        #expect(try await api.call("GetUser", ["AccessToken": .string(other.accessToken)])["error"] == nil)
    }

    private static func id(_ tokens: CognitoTokensAnswer) throws -> JSON {
        let text = try #require(try tokens.access["origin_jti"]?.string)
        return .string(CognitoSessionID(.token, try #require(UUID(uuidString: text))).text)
    }

    private func sessions(_ api: CognitoAPI, _ tokens: CognitoTokensAnswer) async throws -> [JSON] {
        let answer = try await api.call("ListUserSessions", ["AccessToken": .string(tokens.accessToken)])
        return try #require(answer["Sessions"]?.array, "\(answer.text)")
    }

    private func revoke(_ api: CognitoAPI, _ tokens: CognitoTokensAnswer, _ id: JSON) async throws -> JSON {
        try await api.call("RevokeUserSession", ["AccessToken": .string(tokens.accessToken), "SessionId": id])
    }
}
