import Accounts
import Clients
import Foundation
import HTTPServer
import JSON
import Sessions
import SignIn
import Vocabulary
import WebAuthn

/// Authenticator apps, MFA preferences and passkeys.
struct CognitoFactors: CognitoOperations {
    let calls: CognitoCalls
    let flows: SignInFlows
    let factors: FactorService
    let names: FlowNames
    let confirmed: ConfirmedSessions

    /// `AssociateSoftwareToken`: a secret for an authenticator app, of a session or during `MFA_SETUP`.
    func associateSoftwareToken(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        guard let flow = try request.optional("Session", most: 4_096) else {
            let session = try await session(request, &call)
            let pending = try await factors.begin(.totp, session: session, caller: call.caller)
            try await names.remember(
                pending, as: .totp, of: session.facts.session.text, client: try client(of: session))
            return try Self.secret(pending, session: nil)
        }
        return try await associate(FlowCall(flow, tokens: .cognito, renewsFlowTokens: true, caller: call.caller))
    }

    private func associate(_ flow: FlowCall) async throws -> JSONObject {
        let pending = try await flows.waiting(flow)
        guard case .factorSetUpSelection = pending.step else { return try Self.secret(pending, session: pending.flow) }
        let totp = StepResponse(.choice(StepChoice.Kind.totp.rawValue))
        guard case .nextStep(let chosen) = try await flows.answer(totp, flow, for: .signIn) else {
            throw Rejection.internalError
        }
        return try Self.secret(chosen, session: chosen.flow)
    }

    private static func secret(_ pending: PendingStep, session: String?) throws -> JSONObject {
        guard case .totpSetUp(let totp) = pending.step else {
            throw CognitoError(
                .softwareTokenMFANotFound, "Software Token MFA has not been enabled by the userPool",
                code: "flow_expired")
        }
        var answer: JSONObject = ["SecretCode": .string(totp.secret)]
        answer["Session"] = session.map(JSON.string)
        return answer
    }

    /// `VerifySoftwareToken`: adds the authenticator app; during `MFA_SETUP` its `Session` fetches the tokens.
    func verifySoftwareToken(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let response = StepResponse(
            .code(try request.text("UserCode", most: 40)),
            factorName: try request.optional("FriendlyDeviceName", most: 400))
        guard let flow = try request.optional("Session", most: 4_096) else {
            let session = try await session(request, &call)
            let pending = try await associated(session)
            try await Self.enrolling {
                _ = try await factors.confirm(
                    flow: pending, response: response, session: session, caller: call.caller)
            }
            return ["Status": "SUCCESS"]
        }
        return try await Self.enrolling { try await verify(response, flow, call) }
    }

    /// Maps a wrong code to the error name of an enrolment, which differs from that of a sign-in.
    private static func enrolling<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do { return try await body() } catch let error as Rejection {
            guard error.isWrongCode else { throw error }
            throw CognitoError(
                .enableSoftwareTokenMFA, "Code mismatch and fail enable Software Token MFA", code: error.code)
        }
    }

    /// The flow of `AssociateSoftwareToken`.
    ///
    /// Without one the error concerns the factor: SDKs end their session for an error about the session.
    private func associated(_ session: SessionSnapshot) async throws -> String {
        do throws(Rejection) {
            return try await names.newestFlow(
                for: .totp, of: session.facts.session.text, client: try client(of: session))
        } catch {
            guard error == .flowExpired else { throw error }
            throw CognitoError(.softwareTokenMFANotFound, "Software token MFA not found.", code: error.code)
        }
    }

    private func verify(_ response: StepResponse, _ flow: String, _ call: DoorCall) async throws -> JSONObject {
        let binding = ConfirmedSessions.Binding()
        let asked = FlowCall(
            flow, handing: binding.handing, tokens: .cognito, renewsFlowTokens: true, caller: call.caller)
        switch try await flows.answer(response, asked, for: .signIn) {
        case .nextStep(let pending): return ["Status": "SUCCESS", "Session": .string(pending.flow)]
        case .signedIn(let signedIn):
            guard let session = confirmed.text(signedIn.session, binding) else { throw Rejection.internalError }
            return ["Status": "SUCCESS", "Session": .string(session)]
        }
    }

    /// `SetUserMFAPreference`: prefers a factor, or removes a disabled one; a mailbox or number is set up elsewhere.
    func setUserMFAPreference(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let held = try await factors.factors(of: session).factors
        try await apply(try CognitoMFAChange.all(in: request, held), session, call)
        return [:]
    }

    /// `SetUserSettings`, the older form for numbers: an empty list removes them as second factors.
    func setUserSettings(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        guard let options = request.body["MFAOptions"]?.array else { throw CognitoError.missing("MFAOptions") }
        let isText = options.allSatisfy { $0["DeliveryMedium"] == "SMS" && $0["AttributeName"] == "phone_number" }
        guard isText else { throw CognitoError.invalid("MFAOptions may name phone_number by SMS only.") }
        let held = try await factors.factors(of: session).factors
        let changes = try CognitoMFAChange.all(.sms, ["Enabled": .bool(!options.isEmpty)], held)
        try await apply(changes, session, call)
        return [:]
    }

    private func apply(
        _ changes: [CognitoMFAChange], _ session: SessionSnapshot, _ call: DoorCall
    ) async throws(Rejection) {
        for change in changes {
            switch change {
            case .prefer(let factor, let isPreferred):
                try await factors.change(
                    factor.id, name: nil, isPreferred: isPreferred, session: session, caller: call.caller)
            case .remove(let factor): try await factors.remove(factor.id, session: session, caller: call.caller)
            }
        }
    }

    /// `GetUserAuthFactors`.
    func getUserAuthFactors(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let held = try await factors.factors(of: session)
        let client = try client(of: session)
        var first: [JSON] = held.hasPassword ? ["PASSWORD"] : []
        if !held.emails.isEmpty, client.allows(provider: FirstFactor.emailCode.rawValue) { first.append("EMAIL_OTP") }
        if !held.phones.isEmpty, client.allows(provider: FirstFactor.smsCode.rawValue) { first.append("SMS_OTP") }
        if !held.passkeys.isEmpty { first.append("WEB_AUTHN") }
        var answer: JSONObject = [
            "Username": .string(session.facts.account.text), "ConfiguredUserAuthFactors": .array(first),
        ]
        CognitoMFASettings(held).write(to: &answer)
        return answer
    }

    private func client(of session: SessionSnapshot) throws(Rejection) -> Client {
        guard let client = calls.clients.client(session.facts.clientID) else { throw .clientUnknown() }
        return client
    }

    // MARK: Passkeys

    /// `StartWebAuthnRegistration`.
    func startWebAuthnRegistration(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let pending = try await factors.begin(.passkey, session: session, caller: call.caller)
        guard case .passkeySetUp(let passkey) = pending.step else { throw Rejection.internalError }
        try await names.remember(
            pending, as: .passkey, of: session.facts.session.text, client: try client(of: session))
        return ["CredentialCreationOptions": passkey.json]
    }

    /// `CompleteWebAuthnRegistration`.
    func completeWebAuthnRegistration(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let credential = try request.object("Credential")
        do throws(Rejection) {
            let flow = try await names.newestFlow(
                for: .passkey, of: session.facts.session.text, client: try client(of: session))
            _ = try await factors.confirm(
                flow: flow, response: StepResponse(.passkey(PasskeyAnswer(.object(credential)))), session: session,
                caller: call.caller)
        } catch .flowExpired {
            throw CognitoError(
                .webAuthnChallengeNotFound, "The registration was not started, or has expired.",
                code: Rejection.flowExpired.code)
        }
        return [:]
    }

    /// `ListWebAuthnCredentials`: all on one page, because an account has few.
    func listWebAuthnCredentials(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let held = try await factors.factors(of: session).passkeys
        return ["Credentials": .array(held.map { .object(json($0)) })]
    }

    private func json(_ passkey: AccountFactors.Passkey) -> JSONObject {
        [
            "CredentialId": .string(passkey.credentialID), "FriendlyCredentialName": .string(passkey.name ?? "Passkey"),
            "RelyingPartyId": .string(factors.relyingPartyID ?? ""),
            "AuthenticatorTransports": .array(passkey.transports.map(JSON.string)),
            "CreatedAt": .double(passkey.addedAt.timeIntervalSince1970),
        ]
    }

    /// `DeleteWebAuthnCredential`.
    func deleteWebAuthnCredential(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let id = try request.text("CredentialId", most: 2_048)
        let held = try await factors.factors(of: session).passkeys
        guard let passkey = held.first(where: { $0.credentialID == id }) else { throw Rejection.notFound }
        try await factors.remove(passkey.id, session: session, caller: call.caller)
        return [:]
    }
}
