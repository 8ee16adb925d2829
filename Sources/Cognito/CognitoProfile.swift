import Accounts
import Clients
import Foundation
import HTTPServer
import JSON
import Messages
import Sessions
import SignIn
import Vocabulary

/// The user's attributes, addresses, password and deletion.
struct CognitoProfile: CognitoOperations {
    let calls: CognitoCalls
    let accounts: AccountService
    let flows: SignInFlows
    let addresses: AddressService
    let factors: FactorService
    let names: FlowNames
    let passwordChange: PasswordChangeService
    let deletion: DeletionService

    /// `GetUser`.
    func getUser(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let profile = try await accounts.profile(session)
        let settings = CognitoMFASettings(try await factors.factors(of: session))
        var answer: JSONObject = [
            "Username": .string(profile.summary.id.text),
            "UserAttributes": CognitoAnswers.attributes(profile.cognitoAttributes),
        ]
        settings.write(to: &answer)
        return answer
    }

    /// `UpdateUserAttributes`: a changed address counts once its code is verified.
    func updateUserAttributes(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let sent = try request.attributes("UserAttributes")
        guard !sent.isEmpty else { throw CognitoError.missing("UserAttributes") }
        let change = try CognitoProfileChange(sent, try client(of: session))
        if !change.members.members.isEmpty {
            _ = try await accounts.change(change.members, session: session, caller: call.caller)
        }
        var deliveries: [JSON] = []
        for address in change.addresses where try await isNew(address, session) {
            deliveries.append(.object(try await sendCode(to: address, session, call)))
        }
        return ["CodeDeliveryDetailsList": .array(deliveries)]
    }

    private func client(of session: SessionSnapshot) throws(Rejection) -> Client {
        guard let client = calls.clients.client(session.facts.clientID) else { throw .clientUnknown() }
        return client
    }

    private func isNew(_ address: String, _ session: SessionSnapshot) async throws -> Bool {
        guard let name = SignInName(address) else { return true }
        return try await !addresses.addresses(of: session).contains {
            $0.isProved && SignInName($0.text)?.key == name.key
        }
    }

    /// Sends a code to an address, and remembers the flow for `VerifyUserAttribute`.
    private func sendCode(
        to address: String, _ session: SessionSnapshot, _ call: DoorCall
    ) async throws -> JSONObject {
        let pending = try await addresses.begin(address, session: session, caller: call.caller)
        guard let sent = pending.step.delivery else { throw Rejection.internalError }
        let purpose: FlowNames.Purpose = sent.medium == .sms ? .phoneNumber : .emailAddress
        try await names.remember(
            pending, as: purpose, of: session.facts.session.text, client: try client(of: session))
        return CognitoAnswers.delivery(sent).object ?? [:]
    }

    /// `DeleteUserAttributes`.
    func deleteUserAttributes(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let names = try request.names("UserAttributeNames")
        guard !names.isEmpty else { throw CognitoError.missing("UserAttributeNames") }
        let change = try CognitoProfileChange(removing: names, try client(of: session))
        _ = try await accounts.change(change.members, session: session, caller: call.caller)
        return [:]
    }

    /// `GetUserAttributeVerificationCode`: sends a code to the address of the last change, or to the newest unproved one.
    func getUserAttributeVerificationCode(
        _ request: CognitoRequest, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let session = try await session(request, &call)
        let purpose = try purpose(request)
        if let sent = try await sentAgain(purpose, session, call) { return ["CodeDeliveryDetails": sent] }
        guard let address = try await unproved(purpose, session) else {
            throw CognitoError.invalid("The attribute has no value to verify.")
        }
        return ["CodeDeliveryDetails": .object(try await sendCode(to: address, session, call))]
    }

    /// Another code of the change that waits for one; nil without such a change.
    private func sentAgain(
        _ purpose: FlowNames.Purpose, _ session: SessionSnapshot, _ call: DoorCall
    ) async throws(Rejection) -> JSON? {
        let (name, client) = (session.facts.session.text, try client(of: session))
        guard try await names.hasFlow(for: purpose, of: name, client: client) else { return nil }
        let flow = try await names.newestFlow(for: purpose, of: name, client: client)
        do {
            let pending = try await flows.resend(FlowCall(flow, of: client, caller: call.caller), for: .ownAccount)
            return pending.step.delivery.map(CognitoAnswers.delivery)
        } catch {
            guard error == .flowExpired else { throw error }
            return nil
        }
    }

    /// The newest unproved address of the account.
    private func unproved(_ purpose: FlowNames.Purpose, _ session: SessionSnapshot) async throws -> String? {
        let kind: SignInName.Kind = purpose == .phoneNumber ? .phone : .email
        return try await addresses.addresses(of: session).last { $0.kind == kind && !$0.isRelay && !$0.isProved }?.text
    }

    /// `VerifyUserAttribute`: makes the verified address the main one.
    func verifyUserAttribute(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let code = try request.text("Code", most: 2_048)
        let flow = try await names.newestFlow(
            for: try purpose(request), of: session.facts.session.text, client: try client(of: session))
        let proved = try await addresses.confirm(
            flow: flow, response: StepResponse(.code(code)), session: session, caller: call.caller)
        try await addresses.prefer(proved.address, session: session, caller: call.caller)
        return [:]
    }

    private func purpose(_ request: CognitoRequest) throws(CognitoError) -> FlowNames.Purpose {
        switch CognitoAttributes.Own(rawValue: try request.text("AttributeName", most: 64)) {
        case .email: return .emailAddress
        case .phoneNumber: return .phoneNumber
        default: throw .invalid("Only email and phone_number can be verified.")
        }
    }

    /// `ChangePassword`.
    func changePassword(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        call.provider = PasswordSignInService.provider
        try await passwordChange.change(
            from: try request.optional("PreviousPassword"), to: try request.text("ProposedPassword"),
            session: session, caller: call.caller)
        return [:]
    }

    /// `DeleteUser`: at once, or after the waiting time of the service.
    func deleteUser(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        _ = try await deletion.request(session, caller: call.caller)
        return [:]
    }
}

/// Changed attributes as a change of the core's profile, and the addresses to verify.
struct CognitoProfileChange {
    /// In the form of ``AccountService/change(_:session:caller:)``.
    private(set) var members: JSONObject = [:]
    private(set) var addresses: [String] = []
    private var attributes: JSONObject = [:]

    /// - Throws: ``CognitoError`` for an attribute that the app does not have, or that no user may write.
    init(_ sent: [(name: String, value: String)], _ client: Client) throws(CognitoError) {
        for (name, value) in sent {
            switch CognitoAttributes.Own(rawValue: name) {
            case .email:
                guard EmailAddress(value) != nil else { throw .invalid("Invalid email address format.") }
                addresses.append(value)
            case .phoneNumber:
                guard PhoneNumber(value) != nil else { throw .invalid("Invalid phone number format.") }
                addresses.append(value)
            case .name: members["display_name"] = value.isEmpty ? .null : .string(value)
            case .sub, .preferredUsername, .emailVerified, .phoneNumberVerified: throw .unwritable
            case nil: try set(name, value, client)
            }
        }
        if !attributes.members.isEmpty { members["attributes"] = .object(attributes) }
    }

    init(removing names: [String], _ client: Client) throws(CognitoError) {
        for name in names {
            switch CognitoAttributes.Own(rawValue: name) {
            case .name: members["display_name"] = .null
            case .sub, .preferredUsername, .email, .emailVerified, .phoneNumber, .phoneNumberVerified:
                throw .unwritable
            case nil: attributes[try attribute(name, client).name] = .null
            }
        }
        if !attributes.members.isEmpty { members["attributes"] = .object(attributes) }
    }

    /// An empty value removes the attribute, as in the API.
    private mutating func set(_ name: String, _ value: String, _ client: Client) throws(CognitoError) {
        let attribute = try attribute(name, client)
        attributes[attribute.name] =
            value.isEmpty ? .null : attribute.value(of: value)
    }

    private func attribute(_ name: String, _ client: Client) throws(CognitoError) -> ClientAttribute {
        guard let attribute = client.knownAttributes.first(where: { CognitoAttributes.name(of: $0.name) == name })
        else {
            throw .unwritable
        }
        return attribute
    }
}

extension CognitoError {
    static let unwritable = CognitoError(
        .notAuthorized, "A client attempted to write unauthorized attribute", code: "invalid_request")
}
