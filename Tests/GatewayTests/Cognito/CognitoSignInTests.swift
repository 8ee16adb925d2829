import Cryptography
import Foundation
import JSON
import Postgres
import Testing

@Suite("Cognito's API: sign-in", .gateway())
struct CognitoSignInTests {
    @Test("USER_PASSWORD_AUTH gives three tokens, signed with RS256 for the pool")
    func password() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        let sub = try await api.signUp(email)
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        #expect(tokens.expiresIn == 600 && !tokens.refreshToken.isEmpty)
        let configuration = try await api.gateway.get("/\(CognitoAPI.pool)/.well-known/openid-configuration").json
        let (access, identity) = (try tokens.access, try tokens.identity)
        for claims in [access, identity] {
            #expect(claims["iss"] == configuration["issuer"])
            #expect(claims["iss"]?.string?.hasSuffix("/\(CognitoAPI.pool)") == true)
            #expect(claims["sub"] == .string(sub))
            #expect(claims["origin_jti"] == access["origin_jti"] && claims["event_id"]?.string != nil)
        }
        #expect(access["token_use"] == "access" && access["client_id"] == "4example")
        #expect(access["username"] == .string(sub) && access["scope"] == "aws.cognito.signin.user.admin")
        #expect(identity["token_use"] == "id" && identity["aud"] == "4example")
        #expect(identity["cognito:username"] == .string(sub))
        #expect(identity["email"] == .string(email) && identity["email_verified"] == true)
        let header = try #require(Tokens.object(tokens.accessToken, part: 0))
        #expect(Set(header.members.map(\.name)) == ["alg", "kid"] && header["alg"] == "RS256")
        let keys = try #require(
            try await api.gateway.get("/\(CognitoAPI.pool)/.well-known/jwks.json").json["keys"]?.array)
        #expect(keys.contains { $0["kid"] == header["kid"] && $0["kty"] == "RSA" && $0["use"] == "sig" })
    }

    @Test("USER_SRP_AUTH signs in without the password, with and without a session", arguments: [false, true])
    func srp(sends: Bool) async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        _ = try CognitoTokensAnswer(try await api.srpAuth(email, sends: sends))
        let wrong = try await api.srpAuth(email, "another password 5", sends: sends)
        #expect(wrong["error"] == "NotAuthorizedException" && wrong["message"] == "Incorrect username or password.")
    }

    @Test("the verifier of a password made elsewhere comes with the first plain sign-in")
    func laterVerifier() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        _ = try await api.gateway.signUp(email)
        try await api.gateway.change("delete from srp_verifiers")
        let early = try await api.srpAuth(email)
        #expect(early["error"] == "NotAuthorizedException")
        _ = try CognitoTokensAnswer(try await api.passwordAuth(email))
        _ = try CognitoTokensAnswer(try await api.srpAuth(email))
    }

    @Test("an unknown user gets the same salt and user id twice, and no way in")
    func unknown() async throws {
        let api = try await CognitoAPI.current
        let name = Fresh.email()
        var seen: [JSON] = []
        for _ in 0..<2 {
            let asked = try await api.call(
                "InitiateAuth",
                [
                    "AuthFlow": "USER_SRP_AUTH",
                    "AuthParameters": ["USERNAME": .string(name), "SRP_A": .string(SRPClient().publicValue)],
                ])
            #expect(asked["ChallengeName"] == "PASSWORD_VERIFIER", "\(asked.text)")
            let values = try #require(asked["ChallengeParameters"])
            seen.append(["salt": values["SALT"] ?? .null, "user": values["USER_ID_FOR_SRP"] ?? .null])
        }
        #expect(seen[0] == seen[1] && seen[0]["salt"]?.string?.count ?? 0 > 20)
        let other = try await api.srpAuth(name)
        #expect(other["error"] == "NotAuthorizedException" && other["message"] == "Incorrect username or password.")
        let plain = try await api.passwordAuth(name)
        #expect(plain == other)
    }

    @Test("a secret block works once, and for its own client value only")
    func replay() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let client = SRPClient()
        let asked = try await api.call(
            "InitiateAuth",
            [
                "AuthFlow": "USER_SRP_AUTH",
                "AuthParameters": ["USERNAME": .string(email), "SRP_A": .string(client.publicValue)],
            ])
        let responses = try api.proof(asked, client, GatewayProcess.password)
        _ = try CognitoTokensAnswer(try await api.respond("PASSWORD_VERIFIER", nil, responses))
        let again = try await api.respond("PASSWORD_VERIFIER", nil, responses)
        #expect(again["error"] == "NotAuthorizedException" && again["message"] == "Invalid session for the user.")
    }

    /// Client values that would make the shared secret known.
    static let zeros = ["0", "00", Self.modulus, String(repeating: "f", count: 769)]
    private static let modulus = """
        FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD\
        EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
        EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F\
        83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B\
        E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510\
        15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7\
        ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C\
        BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF
        """

    @Test("a client value of zero, or one that is too long, is refused", arguments: zeros)
    func zero(value: String) async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let refused = try await api.call(
            "InitiateAuth",
            ["AuthFlow": "USER_SRP_AUTH", "AuthParameters": ["USERNAME": .string(email), "SRP_A": .string(value)]])
        #expect(refused["error"] == "NotAuthorizedException", "\(refused.text)")
    }

    @Test("an unconfirmed user is asked to confirm after a right plain password; by SRP nobody learns of the sign-up")
    func unconfirmed() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        let begun = try await api.call(
            "SignUp", ["Username": .string(email), "Password": .string(GatewayProcess.password)])
        #expect(begun["UserConfirmed"] == false && begun["CodeDeliveryDetails"]?["AttributeName"] == "email")
        #expect(try await api.passwordAuth(email)["error"] == "UserNotConfirmedException")
        #expect(try await api.srpAuth(email)["error"] == "NotAuthorizedException")
        #expect(try await api.passwordAuth(email, "another password 5")["error"] == "NotAuthorizedException")
        #expect(try await api.srpAuth(email, "another password 5")["error"] == "NotAuthorizedException")
    }

    @Test("USER_AUTH offers the app's first factors, and begins the chosen one")
    func choice() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let offered = try await api.call(
            "InitiateAuth", ["AuthFlow": "USER_AUTH", "AuthParameters": ["USERNAME": .string(email)]])
        #expect(offered["ChallengeName"] == "SELECT_CHALLENGE", "\(offered.text)")
        let names = (offered["AvailableChallenges"]?.array ?? []).compactMap(\.string)
        #expect(names.starts(with: ["PASSWORD", "PASSWORD_SRP"]) && names.contains("EMAIL_OTP"))
        let session = try #require(offered["Session"]?.string)
        let asked = try await api.respond(
            "SELECT_CHALLENGE", session, ["USERNAME": .string(email), "ANSWER": "EMAIL_OTP"])
        #expect(asked["ChallengeName"] == "EMAIL_OTP")
        #expect(asked["ChallengeParameters"]?["CODE_DELIVERY_DELIVERY_MEDIUM"] == "EMAIL", "\(asked.text)")
        let code = try await api.gateway.mailedCode(to: email, number: 2)
        let tokens = try await api.respond(
            "EMAIL_OTP", try #require(asked["Session"]?.string),
            ["USERNAME": .string(email), "EMAIL_OTP_CODE": .string(code)])
        _ = try CognitoTokensAnswer(tokens)
        let plain = try await api.respond(
            "SELECT_CHALLENGE", session,
            ["USERNAME": .string(email), "ANSWER": "PASSWORD", "PASSWORD": .string(GatewayProcess.password)])
        _ = try CognitoTokensAnswer(plain)
    }

    @Test("a preferred challenge begins at once; one that the app does not offer becomes a choice")
    func preferred() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        func initiate(_ preferred: String, _ more: JSONObject = [:]) async throws -> JSON {
            var parameters: JSONObject = ["USERNAME": .string(email), "PREFERRED_CHALLENGE": .string(preferred)]
            for member in more.members { parameters[member.name] = member.value }
            return try await api.call("InitiateAuth", ["AuthFlow": "USER_AUTH", "AuthParameters": .object(parameters)])
        }
        _ = try CognitoTokensAnswer(try await initiate("PASSWORD", ["PASSWORD": .string(GatewayProcess.password)]))
        let srp = try await api.srpAuth(
            email, flow: ["AuthFlow": "USER_AUTH", "AuthParameters": ["PREFERRED_CHALLENGE": "PASSWORD_SRP"]])
        _ = try CognitoTokensAnswer(srp)
        #expect(try await initiate("EMAIL_OTP")["ChallengeName"] == "EMAIL_OTP")
        #expect(try await initiate("SMS_OTP")["ChallengeName"] == "SELECT_CHALLENGE")
    }

    @Test("a wrong code keeps the session, and a session works once")
    func sessions() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let asked = try await api.call(
            "InitiateAuth",
            [
                "AuthFlow": "USER_AUTH",
                "AuthParameters": ["USERNAME": .string(email), "PREFERRED_CHALLENGE": "EMAIL_OTP"],
            ])
        let session = try #require(asked["Session"]?.string, "\(asked.text)")
        let code = try await api.gateway.mailedCode(to: email, number: 2)
        let wrong = code == "000000" ? "000001" : "000000"
        let refused = try await api.respond(
            "EMAIL_OTP", session, ["USERNAME": .string(email), "EMAIL_OTP_CODE": .string(wrong)])
        #expect(refused["error"] == "CodeMismatchException")
        let right: JSONObject = ["USERNAME": .string(email), "EMAIL_OTP_CODE": .string(code)]
        _ = try CognitoTokensAnswer(try await api.respond("EMAIL_OTP", session, right))
        let again = try await api.respond("EMAIL_OTP", session, right)
        #expect(again["error"] == "NotAuthorizedException" && again["message"] == "Invalid session for the user.")
        let none = try await api.respond("EMAIL_OTP", nil, right)
        #expect(none["error"] == "InvalidParameterException")
        #expect(none["message"] == "Missing required parameter Session")
    }

    @Test("the native sign-in with Apple works as CUSTOM_AUTH, and links to one account")
    func apple() async throws {
        let api = try await CognitoAPI.current
        let asked = try await api.call(
            "InitiateAuth", ["AuthFlow": "CUSTOM_AUTH", "AuthParameters": ["USERNAME": "SignInWithApple"]])
        #expect(asked["ChallengeName"] == "CUSTOM_CHALLENGE", "\(asked.text)")
        let nonce = try #require(asked["ChallengeParameters"]?["nonce"]?.string)
        let subject = Fresh.subject("apple")
        let minted = try await api.gateway.simulator.mint(
            "apple", ["subject": .string(subject), "email": .string(Fresh.email()), "nonce": .string(nonce)])
        let token = try #require(minted.credential(nonce: nonce)["id_token"]?.string)
        let session = try #require(asked["Session"]?.string)
        let answer: JSONObject = ["USERNAME": "SignInWithApple", "ANSWER": .string(token)]
        let tokens = try CognitoTokensAnswer(try await api.respond("CUSTOM_CHALLENGE", session, answer))
        let same = try await api.gateway.session("apple", ["subject": .string(subject)])
        #expect(try tokens.access["sub"] == .string(same.account))
        let again = try await api.respond("CUSTOM_CHALLENGE", session, answer)
        #expect(again["error"] == "NotAuthorizedException", "\(again.text)")
        let other = try await api.call(
            "InitiateAuth", ["AuthFlow": "CUSTOM_AUTH", "AuthParameters": ["USERNAME": .string(Fresh.email())]])
        #expect(other["error"] == "NotAuthorizedException")
    }
}
