import Cryptography
import Foundation
import JSON
import Postgres
import Testing

/// A user with a password, and their enrolled factors.
struct ProtectedPerson: Sendable {
    let email: String
    let account: String
    /// A session with one factor: the factors are enrolled by another session.
    let session: SignedInAnswer
    var secret: [UInt8] = []
    var recoveryCodes: [String] = []
    var factor = ""
}

extension GatewayProcess {
    /// A user with a password and an authenticator app.
    func protectedPerson(app: String = "app") async throws -> ProtectedPerson {
        let email = Fresh.email()
        let enrolling = try await signUp(email, app: app)
        let session = try await passwordSignIn(email, app: app)
        let person = try await addingTOTP(
            ProtectedPerson(email: email, account: session.account, session: session), bearer: enrolling.accessToken)
        try #require(try await signOut(enrolling.accessToken).status == 204)
        return person
    }

    private func passwordSignIn(_ email: String, app: String) async throws -> SignedInAnswer {
        try SignedInAnswer(
            try await signIn(
                "password", credential: ["username": .string(email), "password": .string(Self.password)], app: app))
    }

    /// A user with a password and a factor with sent codes.
    func person(withFactor type: String, at address: String) async throws -> ProtectedPerson {
        let email = Fresh.email()
        let enrolling = try await signUp(email)
        let session = try await passwordSignIn(email, app: "app")
        var person = ProtectedPerson(email: email, account: session.account, session: session)
        try await add(&person, type, at: address, bearer: enrolling.accessToken)
        try #require(try await signOut(enrolling.accessToken).status == 204)
        return person
    }

    func add(_ person: inout ProtectedPerson, _ type: String, at address: String, bearer: String? = nil) async throws {
        let member = type == "sms" ? "phone" : "email"
        let sent = type == "sms" ? texts(to: address).count : mailedCodes(to: address)
        let bearer = bearer ?? person.session.accessToken
        let pending = try PendingAnswer(
            try await post("/v1/account/factors", ["type": .string(type), member: .string(address)], bearer: bearer))
        let code =
            type == "sms"
            ? try await textedCode(to: address, number: sent + 1) : try await mailedCode(to: address, number: sent + 1)
        let added = try await confirmFactor(pending.flow, ["code": .string(code)], bearer: bearer)
        try #require(added.status == 201, "\(added.text)")
        person.factor = try #require(added.json["factor"]?["id"]?.string)
        person.recoveryCodes = (added.json["recovery_codes"]?.array ?? []).compactMap(\.string)
    }

    func addingTOTP(_ person: ProtectedPerson, bearer: String) async throws -> ProtectedPerson {
        var person = person
        let pending = try PendingAnswer(
            try await post("/v1/account/factors", ["type": "totp"], bearer: bearer),
            "continue_sign_in_with_totp_setup")
        person.secret = try #require(Self.secret(of: pending))
        let added = try await confirmFactor(
            pending.flow, ["code": .string(Self.code(person.secret)), "name": "Phone"], bearer: bearer)
        try #require(added.status == 201, "\(added.text)")
        person.factor = try #require(added.json["factor"]?["id"]?.string)
        person.recoveryCodes = (added.json["recovery_codes"]?.array ?? []).compactMap(\.string)
        return person
    }

    func confirmFactor(_ flow: String, _ response: JSONObject, bearer: String) async throws -> TestAnswer {
        try await post(
            "/v1/account/factors/confirm", ["flow": .string(flow), "response": .object(response)], bearer: bearer)
    }

    /// The app's current code.
    static func code(_ secret: [UInt8], stepsAhead: Int = 0) -> String {
        TOTP.code(secret: secret, step: Int(Date().timeIntervalSince1970) / TOTP.period + stepsAhead)
    }

    /// An unused code: the last used one is dated back.
    func freshCode(_ person: ProtectedPerson) async throws -> String {
        try await change(
            "update factors set counter = counter - 100 where account_id = \(person.account)::uuid and kind = 'totp'")
        return Self.code(person.secret)
    }

    /// A code of neither the current step nor its neighbours.
    static func wrongCode(_ secret: [UInt8]) -> String {
        let right = Set((-2...2).map { code(secret, stepsAhead: $0) })
        return (0..<10).map { "00000\($0)" }.first { !right.contains($0) } ?? ""
    }

    /// A complete sign-in with a password and a code.
    func signIn(_ person: ProtectedPerson, app: String = "app", remember: Bool = false) async throws -> SignedInAnswer {
        let asked = try await passwordProved(person.email, app: app)
        var response: JSONObject = ["code": .string(try await freshCode(person))]
        if remember { response["remember_device"] = true }
        return try SignedInAnswer(try await answer(asked.flow, response))
    }

    /// Gives the account a proved number, as after a sign-up with it.
    func prove(_ phone: String, of account: String) async throws {
        try await change(
            """
            insert into account_phones (account_id, phone_key, source, proved_at) values (\(account)::uuid, \(phone), 'person', now())
            """)
    }

    static func freshPhone() -> String { "+4915\(UInt64.random(in: 1_000_000_000...9_999_999_999))" }

    static func base32(_ text: String) -> [UInt8]? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (bytes, held, count) = ([UInt8](), 0, 0)
        for letter in text {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            held = (held << 5 | value) & 0xFFFF
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(held >> count & 0xFF))
            }
        }
        return bytes
    }
}
