import JSON
import Testing

extension StepTests {
    /// Every call that answers a step takes `response`, and pointers name the member that was sent.
    @Suite("The shape of answers to steps")
    struct AnswerShapeTests {
        private static let paths = ["/v1/sign-in/continue", "/v1/sign-up/confirm", "/v1/password/reset"]

        @Test("an answer without a response is refused at its place", arguments: paths)
        func missing(path: String) async throws {
            let gateway = try GatewayProcess.current
            let answer = try await gateway.post(path, ["flow": "fl_x"])
            #expect(answer.status == 400)
            #expect(try Self.pointers(answer) == ["/response required"])
        }

        @Test("a code outside of the response is an unknown member", arguments: paths)
        func outside(path: String) async throws {
            let gateway = try GatewayProcess.current
            let answer = try await gateway.post(path, ["flow": "fl_x", "code": "123456", "response": [:]])
            #expect(answer.status == 400)
            #expect(try Self.pointers(answer) == ["/code unknown_member"])
        }

        @Test("a refused new password is named where it was sent")
        func newPasswords() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let person = try await gateway.signUp(email)
            let asked = try await gateway.forgot(email)
            let reset = try await gateway.reset(asked, to: "short")
            #expect(try Self.pointers(reset) == ["/response/new_password password_too_short"])
            let change: JSON = ["current_password": .string(GatewayProcess.password), "new_password": "short"]
            let changed = try await gateway.post("/v1/password/change", change, bearer: person.accessToken)
            #expect(try Self.pointers(changed) == ["/new_password password_too_short"])
        }

        @Test("an address is confirmed by a response, and its faults are named")
        func addresses() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.signUp(Fresh.email())
            for (body, pointer) in [
                (["flow": "fl_x"], "/response required"),
                (["flow": "fl_x", "response": [:]], "/response/code required"),
            ] as [(JSON, String)] {
                let answer = try await gateway.post(
                    "/v1/account/addresses/confirm", body, bearer: person.accessToken)
                #expect(try Self.pointers(answer) == [pointer])
            }
        }

        private static func pointers(_ answer: TestAnswer) throws -> [String] {
            try #require(answer.json["errors"]?.array, "\(answer.text)")
                .map { "\($0["pointer"]?.string ?? "") \($0["code"]?.string ?? "")" }
        }
    }
}
