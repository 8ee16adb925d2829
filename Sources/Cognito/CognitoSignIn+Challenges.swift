import Clients
import Foundation
import HTTPServer
import JSON
import SignIn
import Vocabulary

/// `RespondToAuthChallenge`.
extension CognitoSignIn {
    /// `RespondToAuthChallenge`.
    func respondToAuthChallenge(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let challenge = try request.choice("ChallengeName", of: CognitoChallenge.Name.self)
        let responses = try request.texts("ChallengeResponses")
        let client = try client(
            request, &call, hash: responses["SECRET_HASH"], of: responses["USERNAME"] ?? "")
        let session = try await session(request, challenge, responses, client, call)
        switch challenge {
        case .selectChallenge: return try await choose(session, responses, client, &call)
        case .customChallenge where CognitoFederation(session: session) != nil:
            return try await signInFederated(session, responses, client, &call)
        case .mfaSetup: return try await setUp(session, responses, client, call)
        default: break
        }
        let answer = try self.answer(challenge, responses)
        return try await self.answer(
            try await flows.answer(
                StepResponse(answer), flowCall(session, device: responses["DEVICE_KEY"], client, call), for: .signIn),
            after: challenge, responses["USERNAME"], responses["DEVICE_KEY"], client, call)
    }

    /// The flow of the answer: that of the session, or of the secret block where the client sends no session.
    ///
    /// A device that sends neither has the newest flow that waits for it in its network.
    private func session(
        _ request: CognitoRequest, _ challenge: CognitoChallenge.Name, _ responses: CognitoTexts, _ client: Client,
        _ call: DoorCall
    ) async throws -> String {
        let given = try request.optional("Session", most: 4_096)
        guard challenge == .passwordVerifier || challenge == .devicePasswordVerifier else {
            if let given { return given }
            guard challenge == .deviceSRPAuth else { throw CognitoError.missing("Session") }
            let device = try responses.required("DEVICE_KEY")
            return try await names.newestFlow(for: .device, of: Self.name(of: device, call), client: client)
        }
        let block = try responses.required("PASSWORD_CLAIM_SECRET_BLOCK")
        guard let flow = CognitoChallenge.flow(ofSecretBlock: block), given == nil || given == flow else {
            throw Rejection.flowExpired
        }
        return flow
    }

    /// `SELECT_CHALLENGE` begins the chosen sign-in: the offer was the same for every name.
    private func choose(
        _ session: String, _ responses: CognitoTexts, _ client: Client, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let pending = try await flows.waiting(flowCall(session, client, call))
        let name = try responses.required("USERNAME")
        let answer = try responses.required("ANSWER")
        guard CognitoChallenge.Name(rawValue: answer) != nil else {
            throw CognitoError.invalid("Invalid parameter ANSWER.")
        }
        let credential = try preferred(answer, name, responses, client)
        call.provider = credential.method
        let device = responses["DEVICE_KEY"]
        let outcome = try await flows.begin(credential, asked(client, device: device, wish: pending.wish, call))
        return try await self.answer(outcome, name, device, client, call)
    }

    private func flowCall(
        _ session: String, device: String? = nil, _ client: Client, _ call: DoorCall
    ) -> FlowCall {
        FlowCall(
            session, of: client, device: DeviceHint(unmarked: device), tokens: .cognito, renewsFlowTokens: true,
            caller: call.caller)
    }

    /// `MFA_SETUP`: with `EMAIL` a mailbox to set up, otherwise the session of `VerifySoftwareToken`.
    private func setUp(
        _ session: String, _ responses: CognitoTexts, _ client: Client, _ call: DoorCall
    ) async throws -> JSONObject {
        guard let email = responses["EMAIL"] else {
            if confirmed.isOne(session) {
                return signedIn(
                    try await confirmed.redeem(session, client, call.caller), client, responses["DEVICE_KEY"])
            }
            // The recovery codes, which the API can't show.
            let outcome = try await flows.answer(
                StepResponse(.nothing), flowCall(session, client, call), for: .signIn)
            return try await answer(outcome, responses["USERNAME"], responses["DEVICE_KEY"], client, call)
        }
        let flow = try await entered(.email, flowCall(session, client, call))
        let outcome = try await flows.answer(StepResponse(.email(email)), flow, for: .signIn)
        return try await answer(outcome, responses["USERNAME"], responses["DEVICE_KEY"], client, call)
    }

    /// The flow at the set-up of this factor, which it may still have to choose.
    private func entered(_ kind: StepChoice.Kind, _ flow: FlowCall) async throws(Rejection) -> FlowCall {
        guard case .factorSetUpSelection = try await flows.waiting(flow).step else { return flow }
        let outcome = try await flows.answer(StepResponse(.choice(kind.rawValue)), flow, for: .signIn)
        guard case .nextStep(let pending) = outcome else { throw .internalError }
        return flow.at(pending.flow)
    }
}
