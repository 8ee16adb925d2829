import Foundation
import Testing

@testable import GatewayClient

@Suite("Signing in at a real gateway", .enabled(if: Server.isThere, "make test starts the gateway"))
struct SignInServerTests {
    @Test("Sign-up, confirmation, and a sign-in from another device")
    func signUp() async throws {
        let person = try await Person.signedUp()
        #expect(person.session.account.email == person.email)
        #expect(person.session.account.displayName == "Ann")
        #expect(person.session.signIn?.isNewAccount == true)
        let other = try await person.signInElsewhere().session()
        #expect(other.account.id == person.session.account.id)
        #expect(other.signIn?.isNewAccount == false)
        let open = try await other.sessions()
        #expect(open.count == 2)
        #expect(open.filter(\.isCurrent).map(\.id) == [other.id])
        #expect(open.allSatisfy { $0.deviceName == "Ann's laptop" })
    }

    @Test("A wrong password and an unknown name get the same refusal")
    func refused() async throws {
        let person = try await Person.signedUp()
        for name in [person.email, Person.freshEmail()] {
            let wrong = Credential.password(username: name, password: Person.otherWords)
            await #expect { try await Server.client().signIn(wrong) } throws: {
                ($0 as? GatewayError)?.code == .invalidCredentials
            }
        }
    }

    @Test("A weak password is refused by its code, and a wrong form by its pointer")
    func refusedSignUp() async throws {
        let client = try Server.client()
        await #expect {
            try await client.signUp(SignUpForm(username: Person.freshEmail(), password: "short"))
        } throws: {
            ($0 as? GatewayError)?.code == .passwordTooShort
        }
        await #expect { try await client.signUp(SignUpForm(username: "no address", password: Person.words)) } throws: {
            guard let problem = ($0 as? GatewayError)?.problem else { return false }
            return problem.code == .invalidRequest && problem.field("/username") != nil && problem.requestID != nil
        }
    }

    @Test("A name alone leads to a choice, a code by mail, and the session")
    func choice() async throws {
        let person = try await Person.signedUp()
        let step = try await Server.client().signIn(.username(person.email)).step()
        guard case .chooseFirstFactor(let choice) = step else { throw ScriptFailure("no choice: \(step)") }
        let option = try #require(choice.options.first { $0.kind == .emailCode })
        let asked = try await step.answer(.factor(option)).step()
        #expect(asked.sentCode?.delivery?.medium == .email)
        #expect(asked.sentCode?.delivery?.codeLength == 6)
        await #expect { try await asked.resend() } throws: {
            ($0 as? GatewayError)?.code == .resendTooSoon && ($0 as? GatewayError)?.retryAfter != nil
        }
        let code = try await Server.mailedCode(person.email, number: 2)
        #expect(try await asked.answer(.code(code)).session().account.id == person.session.account.id)
    }

    @Test("A forgotten password: code and new password in one answer, and the old sessions end")
    func forgotten() async throws {
        let person = try await Person.signedUp()
        let step = try await Server.client().forgotPassword(username: person.email).step()
        guard case .resetPassword = step else { throw ScriptFailure("no reset: \(step)") }
        let code = try await Server.mailedCode(person.email, number: 2)
        let session = try await step.answer(.reset(code: code, newPassword: Person.otherWords)).session()
        #expect(session.account.id == person.session.account.id)
        try await Server.expectEnd(of: person.session)
        #expect(try await person.client.session() == nil)
    }

    @Test("Apple: the nonce of the gateway is in the token, and works once")
    func apple() async throws {
        let client = try Server.client()
        let nonce = try await client.nonce()
        let minted = try await Server.mint(
            "apple",
            ["nonce": .string(nonce.raw), "email": .string(Person.freshEmail()), "subject": .string(subject())])
        let token = try #require(minted["id_token"]?.string)
        let credential = Credential.apple(
            idToken: token, nonce: nonce, authorizationCode: minted["authorization_code"]?.string,
            givenName: "Ann", familyName: "Lee")
        let session = try await client.signIn(credential).session()
        #expect(session.identity?.provider == "apple")
        #expect(session.account.displayName == "Ann Lee")
        await #expect { try await Server.client().signIn(credential) } throws: {
            ($0 as? GatewayError)?.problem?.status == 401
        }
    }

    @Test("Amazon with a token, Microsoft and Google with an ID token")
    func providers() async throws {
        let amazon = try await Server.mint("amazon", Server.stranger("amzn1.account."))
        let first = try await Server.client().signIn(
            .amazon(accessToken: try #require(amazon["access_token"]?.string)))
        #expect(try first.session().identity?.provider == "amazon")
        let microsoft = try await Server.mint("microsoft", ["subject": .string(UUID().uuidString.lowercased())])
        let second = try await Server.client().signIn(.microsoft(idToken: try #require(microsoft["id_token"]?.string)))
        #expect(try second.session().identity?.provider == "microsoft")
        let google = try await Server.mint("google", Server.stranger("1"))
        let third = try await Server.client().signIn(
            .provider("google", idToken: try #require(google["id_token"]?.string)))
        #expect(try third.session().identity?.provider == "google")
    }

    @Test("Cognito, step by step: a temporary password is replaced")
    func cognito() async throws {
        let name = Person.freshEmail()
        _ = try await Server.simulated(
            "/control/cognito/users",
            [
                "username": .string(name), "email": .string(name), "password": .string(Person.words),
                "status": "force_change_password",
            ])
        let step = try await Server.client().signIn(
            .provider("cognito", username: name, password: Person.words)
        ).step()
        guard case .newPassword = step else { throw ScriptFailure("no new password: \(step)") }
        let session = try await step.answer(.newPassword("Brown-Otter-17-Bridge")).session()
        #expect(session.identity?.provider == "cognito")
    }

    @Test("Microsoft, step by step: a forgotten password is reset by its code")
    func microsoft() async throws {
        let name = Person.freshEmail()
        _ = try await Server.simulated(
            "/control/microsoft/users", ["username": .string(name), "password": "Grey-Heron-41-Weir"])
        let step = try await Server.client().signIn(.microsoft(username: name)).step()
        guard case .password = step else { throw ScriptFailure("no password is asked: \(step)") }
        let reset = try await step.answer(.forgotPassword).step()
        guard case .resetPassword = reset else { throw ScriptFailure("no reset: \(reset)") }
        let user = try await Server.simulated("/control/microsoft/users?username=\(pathSegment(name))")
        let code: String = try #require(user["codes"]?["reset_password"]?.string)
        await #expect { try await reset.answer(.reset(code: "00000000", newPassword: "Brown-Otter-17")) } throws: {
            ($0 as? GatewayError)?.code == .codeWrong
        }
        let session = try await reset.answer(.reset(code: code, newPassword: "Brown-Otter-17")).session()
        #expect(session.identity?.provider == "microsoft")
    }

    @Test("An address of another account: signing in to that account joins the identity, declining keeps it apart")
    func link() async throws {
        for accepts in [true, false] {
            let person = try await Person.signedUp()
            let minted = try await Server.mint(
                "amazon",
                ["email": .string(person.email), "subject": .string("amzn1.account.\(UUID().uuidString.prefix(8))")])
            let client = try Server.client()
            let step = try await client.signIn(
                .amazon(accessToken: try #require(minted["access_token"]?.string))
            ).step()
            guard case .linkAccount(let question) = step else { throw ScriptFailure("no link: \(step)") }
            guard accepts else {
                let apart = try await step.answer(.createAccount).session()
                #expect(apart.account.id != person.session.account.id)
                continue
            }
            let joined = try await client.signIn(
                .password(username: person.email, password: person.password), linking: question
            ).session()
            #expect(joined.account.id == person.session.account.id)
            #expect(try await joined.identities().map(\.provider) == ["amazon"])
        }
    }

    @Test("The hosted page in a browser: a code for the app, redeemed once")
    func browser() async throws {
        let person = try await Person.signedUp()
        let client = try Server.client()
        let signIn = try client.browserSignIn(redirectURI: BrowserTests.redirect, hasher: OpenSSL())
        let callback = try await SmallBrowser().signIn(at: signIn.url, person)
        let session = try await signIn.finish(callback)
        #expect(session.account.id == person.session.account.id)
        #expect(try await session.profile().email == person.email)
        #expect(try await client.session()?.id == session.id)
        await #expect { try await signIn.finish(callback) } throws: { ($0 as? GatewayError)?.code == .invalidGrant }
    }

    private func subject() -> String {
        "001999.\(UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()).1200"
    }
}
