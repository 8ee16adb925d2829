extension Session {
    /// The second factors and passkeys of the account.
    public func factors() async throws -> Factors { try await answer(.get("/v1/account/factors")) }

    /// Begins to add a factor; it is added when ``FactorEnrolment`` is confirmed.
    public func addFactor(_ factor: NewFactor) async throws -> FactorEnrolment {
        let next: NextStepAnswer = try await answer(.post("/v1/account/factors", factor.request))
        return FactorEnrolment(session: self, flow: next.flow, question: .init(next.step))
    }

    /// Replaces the recovery codes; the old ones stop working.
    public func makeRecoveryCodes() async throws -> [String] {
        let answer: RecoveryCodesAnswer = try await self.answer(
            .post("/v1/account/factors", FactorRequest(type: .recoveryCodes)))
        return answer.recoveryCodes
    }

    /// Names a factor, or has it asked first.
    public func change(_ factor: Factor, name: Change<String>? = nil, preferred: Bool? = nil) async throws -> Factors {
        try await answer(
            .patch("/v1/account/factors/\(pathSegment(factor.id))", FactorChange(name: name, preferred: preferred)))
    }

    /// Removes a factor; the last one takes recovery codes and remembered devices with it.
    public func remove(_ factor: Factor) async throws {
        try await perform(.delete("/v1/account/factors/\(pathSegment(factor.id))"))
    }

    /// Keeps the factors that an operator was asked to remove.
    public func keepFactors() async throws { try await perform(.delete("/v1/account/factor-removal")) }
}

/// A factor to add.
public struct NewFactor: Sendable {
    let request: FactorRequest

    /// An authenticator app.
    public static var authenticatorApp: NewFactor { NewFactor(request: FactorRequest(type: .totp)) }

    /// A mailbox.
    public static func email(_ address: String) -> NewFactor {
        NewFactor(request: FactorRequest(type: .email, email: address))
    }

    /// A number, in international form.
    public static func textMessage(_ number: String) -> NewFactor {
        NewFactor(request: FactorRequest(type: .sms, phone: number))
    }

    /// A passkey.
    public static var passkey: NewFactor { NewFactor(request: FactorRequest(type: .passkey)) }
}

/// A factor that waits for its proof.
public struct FactorEnrolment: Sendable {
    let session: Session
    let flow: Secret
    /// The proof that the gateway asks for.
    public let question: Question

    /// The proof of a new factor.
    public enum Question: Sendable {
        /// Show the address as a QR code; confirm with the app's code.
        case authenticator(secret: String, uri: String)
        /// Confirm with the code that was sent.
        case code(Delivery?)
        /// Hand the options to the system; confirm with its answer.
        case passkey(options: JSONValue)

        init(_ members: StepMembers) {
            if let totp = members.totp {
                self = .authenticator(secret: totp.secret, uri: totp.uri)
            } else if let options = members.passkey {
                self = .passkey(options: options)
            } else {
                self = .code(members.delivery)
            }
        }
    }

    /// Proves the factor with a code.
    public func confirm(code: String, name: String? = nil) async throws -> AddedFactor {
        try await confirm(StepResponse(code: Secret(code), name: name))
    }

    /// Proves a passkey with the system's answer, as WebAuthn JSON.
    public func confirm(passkey: JSONValue, name: String? = nil) async throws -> AddedFactor {
        try await confirm(StepResponse(credential: passkey, name: name))
    }

    /// Sends another code; the previous one stops working.
    public func resend() async throws { try await session.resend(flow) }

    private func confirm(_ response: StepResponse) async throws -> AddedFactor {
        let added: AddedFactor = try await session.answer(
            .post("/v1/account/factors/confirm", ConfirmRequest(flow: flow, response: response)))
        try await session.replace(added.session)
        return added
    }
}

/// A factor that was added.
public struct AddedFactor: Sendable, Decodable {
    /// The factor.
    public let factor: Factor
    /// With the first second factor: codes that the user must save, shown this once.
    public let recoveryCodes: [String]?
    /// For a guest: the session that replaces this one.
    let session: TokensAnswer?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case factor, session
        case recoveryCodes = "recovery_codes"
    }
}

struct FactorRequest: Encodable, Sendable {
    enum Kind: String, Encodable, Sendable, CaseIterable {
        case totp, email, sms, passkey
        case recoveryCodes = "recovery_codes"
    }

    let type: Kind
    var email: String?
    var phone: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case type, email, phone
    }
}

struct FactorChange: Encodable, Sendable {
    let name: Change<String>?
    let preferred: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, preferred
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch name {
        case nil: break
        case .set(let text): try values.encode(text, forKey: .name)
        case .remove: try values.encodeNil(forKey: .name)
        }
        try values.encodeIfPresent(preferred, forKey: .preferred)
    }
}

struct RecoveryCodesAnswer: Decodable {
    let recoveryCodes: [String]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case recoveryCodes = "recovery_codes"
    }
}
