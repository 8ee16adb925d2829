import Postgres
import Testing

@testable import SignIn
@testable import Vocabulary

@Suite("The first factor that a typed name leads to")
struct LikelyFactorTests {
    private func factor(
        _ core: TestCore, _ name: String, offering methods: [String], usedLast: String? = nil,
        device: String? = nil
    ) async throws -> FirstFactor {
        let request = SignInRequest(
            client: .test(providers: methods), device: DeviceHint(token: device), caller: TestCore.caller)
        return try await core.flows.likelyFactor(of: name, usedLast: usedLast, request)
    }

    @Test("is the app's first one, in the app's order")
    func order() async throws {
        try await TestCore.with { (core: TestCore) async throws in
            let name = "ann@example.com"
            #expect(try await factor(core, name, offering: ["password", "email_otp"]) == .password)
            #expect(try await factor(core, name, offering: ["google", "email_otp", "password"]) == .emailCode)
            #expect(try await factor(core, "+4915112345678", offering: ["email_otp", "sms_otp"]) == .smsCode)
            #expect(try await factor(core, "ann.lee", offering: ["email_otp", "password"]) == .password)
        }
    }

    @Test("is the one used last on this device, if the app offers it for such a name")
    func usedLast() async throws {
        try await TestCore.with { (core: TestCore) async throws in
            let methods = ["password", "email_otp"]
            #expect(
                try await factor(core, "ann@example.com", offering: methods, usedLast: "email_otp") == .emailCode)
            #expect(try await factor(core, "ann.lee", offering: methods, usedLast: "email_otp") == .password)
            for other in ["sms_otp", "google", "no such method", ""] {
                #expect(try await factor(core, "ann@example.com", offering: methods, usedLast: other) == .password)
            }
        }
    }

    @Test("is the user's preferred one on a device that is known for the name, and on no other device")
    func preferred() async throws {
        try await TestCore.with { (core: TestCore) async throws in
            let name = "ann@example.com"
            let device = try #require(try await core.signUp(name).deviceToken)
            try await core.change("update accounts set first_factor = 'email_otp'")
            let methods = ["password", "email_otp"]
            #expect(try await factor(core, name, offering: methods, device: device) == .emailCode)
            #expect(try await factor(core, name, offering: methods) == .password)
            #expect(try await factor(core, "ben@example.com", offering: methods, device: device) == .password)
        }
    }

    @Test("an unknown kind of name, or one without a factor, is refused")
    func refused() async throws {
        try await TestCore.with { (core: TestCore) async throws in
            await #expect(throws: Rejection.invalidField(.username, .notASignInName)) {
                try await factor(core, "", offering: ["password"])
            }
            await #expect(throws: Rejection.providerNotAllowed()) {
                try await factor(core, "ann.lee", offering: ["email_otp", "google"])
            }
        }
    }

    @Test("a flow begins with the asked factor, and offers the others")
    func begins() async throws {
        try await TestCore.with { (core: TestCore) async throws in
            _ = try await core.signUp("ann@example.com")
            let begun = try await core.flows.begin(
                .name("ann@example.com", first: .emailCode), try core.request()
            ).pending
            guard case .firstFactorCode(_, let options) = begun.step else {
                throw Unexpected(what: "\(begun.step)")
            }
            #expect(options.choices.map(\.kind) == [.password])
        }
    }
}
