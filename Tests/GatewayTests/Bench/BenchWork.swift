import JSON
import Testing
import WebAuthnTestAuthenticator

/// A work of `bench/sql` as one request.
struct BenchWork: Sendable {
    typealias Request = @Sendable () async throws -> TestAnswer

    let name: String
    /// Does what precedes the request.
    let prepare: @Sendable (GatewayProcess) async throws -> Request

    static let all = [
        BenchWork(name: "sign_in_new") { gateway in
            let minted = try await gateway.simulator.mint("apple")
            return { try await gateway.signIn(minted) }
        },
        BenchWork(name: "sign_in_known") { gateway in
            let person: JSONObject = ["subject": .string(Fresh.subject("apple")), "email": .string(Fresh.email())]
            _ = try await gateway.session("apple", person)
            let minted = try await gateway.simulator.mint("apple", person)
            return { try await gateway.signIn(minted) }
        },
        BenchWork(name: "refresh") { gateway in
            let token = try await gateway.anyone().refreshToken
            return { try await gateway.refresh(token) }
        },
        BenchWork(name: "email_code_start") { gateway in
            let email = try #require(try await gateway.anyone().email)
            return { try await gateway.begin("email_otp", email) }
        },
        BenchWork(name: "email_code_finish") { gateway in
            let email = try #require(try await gateway.anyone().email)
            let begun = try PendingAnswer(try await gateway.begin("email_otp", email))
            let code = try await gateway.mailedCode(to: email, number: 1)
            return { try await gateway.answer(begun.flow, ["code": .string(code)]) }
        },
        BenchWork(name: "totp_finish", prepare: code),
        BenchWork(name: "passkey_finish") { gateway in
            var key = try await gateway.passkeyHolder().key
            let begun = try PendingAnswer(try await gateway.begin("passkey"))
            let assertion = try key.assert(try #require(begun.step["passkey"]))
            return { try await gateway.answer(begun.flow, ["credential": assertion]) }
        },
    ]

    /// A sign-in by Apple that waits for the code of an app.
    private static func code(_ gateway: GatewayProcess) async throws -> Request {
        let person: JSONObject = ["subject": .string(Fresh.subject("apple")), "email": .string(Fresh.email())]
        let session = try await gateway.session("apple", person)
        let enrolled = try await gateway.addingTOTP(
            ProtectedPerson(email: session.email ?? "", account: session.account, session: session),
            bearer: session.accessToken)
        let asked = try PendingAnswer(try await gateway.signIn("apple", person))
        // The code of the enrolment counted; the next one is valid already.
        let code = GatewayProcess.code(enrolled.secret, stepsAhead: 1)
        return { try await gateway.answer(asked.flow, ["code": .string(code)]) }
    }
}
