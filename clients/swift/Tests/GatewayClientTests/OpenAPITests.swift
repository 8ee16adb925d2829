import Foundation
import Testing

@testable import GatewayClient

/// The wire names of the library against `docs/openapi.yaml`.
@Suite("The library's wire names against docs/openapi.yaml")
struct OpenAPITests {
    /// The names that a type reads or writes, and its schemas.
    struct Names: Sendable {
        let schemas: [String]
        let names: Set<String>
        /// Members of the schema that the type leaves out on purpose.
        let omitted: Set<String>

        init<Key: CodingKey & CaseIterable>(_ key: Key.Type, _ schemas: String..., omitted: Set<String> = []) {
            (self.schemas, self.omitted) = (schemas, omitted)
            names = Set(key.allCases.map(\.stringValue))
        }
    }

    /// The members that ask for an ID token, which the library does not use.
    private static let idToken: Set<String> = ["scope", "nonce"]

    static let requests: [Names] = [
        Names(SignInRequest.CodingKeys.self, "SignInRequest", omitted: idToken),
        Names(SignUpRequest.CodingKeys.self, "SignUpRequest", omitted: idToken),
        Names(ForgotRequest.CodingKeys.self, "ForgotRequest"), Names(DeviceMembers.CodingKeys.self, "Device"),
        Names(ContinueRequest.CodingKeys.self, "ContinueSignInRequest", omitted: idToken),
        Names(StepResponse.CodingKeys.self, "StepResponse"),
        Names(FlowRequest.CodingKeys.self, "FlowRequest"),
        Names(RefreshRequest.CodingKeys.self, "RefreshRequest", omitted: ["client_id", "client_secret"]),
        Names(SignOutRequest.CodingKeys.self, "SignOutRequest"), Names(ProfileChange.CodingKeys.self, "AccountChange"),
        Names(PasswordChange.CodingKeys.self, "PasswordChangeRequest"),
        Names(StepUpRequest.CodingKeys.self, "StepUpRequest"), Names(LinkRequest.CodingKeys.self, "LinkRequest"),
        Names(FactorRequest.CodingKeys.self, "FactorRequest"), Names(FactorChange.CodingKeys.self, "FactorChange"),
        Names(ConfirmRequest.CodingKeys.self, "FactorConfirmRequest"),
        Names(ConfirmRequest.CodingKeys.self, "AddressConfirmRequest"),
        Names(AddressRequest.CodingKeys.self, "AddressRequest"), Names(AddressChange.CodingKeys.self, "AddressChange"),
        Names(MergeTicketRequest.CodingKeys.self, "MergeTicketRequest"),
        Names(MergeRequest.CodingKeys.self, "MergeRequest"),
        Names(
            CredentialMembers.CodingKeys.self, "AppleCredential", "TokenCredential", "AccessTokenCredential",
            "CodeCredential", "AmazonCodeCredential", "PasswordCredential", "NameCredential"),
    ]

    static let answers: [Names] = [
        Names(NonceAnswer.CodingKeys.self, "Nonce"), Names(SignedInAnswer.CodingKeys.self, "SignedIn"),
        Names(NextStepAnswer.CodingKeys.self, "NextStep"),
        Names(TokensAnswer.CodingKeys.self, "Tokens", omitted: ["scope", "id_token"]),
        Names(RefreshAnswer.CodingKeys.self, "Refreshed"),
        Names(GrantAnswer.CodingKeys.self, "GrantedTokens", omitted: ["scope", "id_token", "issued_token_type"]),
        Names(SignedInIdentity.CodingKeys.self, "IdentityName"), Names(Account.CodingKeys.self, "Account"),
        Names(Deletion.CodingKeys.self, "Deletion"), Names(Profile.CodingKeys.self, "Profile"),
        Names(Identity.CodingKeys.self, "Identity"), Names(IdentitiesAnswer.CodingKeys.self, "Identities"),
        Names(LinkAnswer.CodingKeys.self, "Linked"), Names(Factors.CodingKeys.self, "Factors"),
        Names(Factor.CodingKeys.self, "Factor"), Names(AddedFactor.CodingKeys.self, "FactorAdded"),
        Names(RecoveryCodesAnswer.CodingKeys.self, "RecoveryCodes"),
        Names(AddressesAnswer.CodingKeys.self, "Addresses"), Names(AccountAddress.CodingKeys.self, "Address"),
        Names(AddressAddedAnswer.CodingKeys.self, "AddressAdded"),
        Names(FactorRemoval.CodingKeys.self, "FactorRemoval"),
        Names(DevicesAnswer.CodingKeys.self, "Devices"), Names(RememberedDevice.CodingKeys.self, "RememberedDevice"),
        Names(SessionsAnswer.CodingKeys.self, "Sessions"), Names(OpenSession.CodingKeys.self, "DeviceSession"),
        Names(CurrentAnswer.CodingKeys.self, "CurrentSession"), Names(CurrentSession.CodingKeys.self, "Session"),
        Names(AccountEvents.CodingKeys.self, "Events"), Names(AccountEvent.CodingKeys.self, "Event"),
        Names(MergeTicket.CodingKeys.self, "MergeTicket", omitted: ["expires_in"]),
        Names(MergePreview.CodingKeys.self, "OwnMergePreview"), Names(MergeMoves.CodingKeys.self, "MergeMoves"),
        Names(Merge.CodingKeys.self, "OwnMerge"), Names(MergeAnswer.CodingKeys.self, "OwnMergeDone"),
        Names(MergesAnswer.CodingKeys.self, "OwnMerges"), Names(DeletionAnswer.CodingKeys.self, "DeletionAnswer"),
        Names(Problem.CodingKeys.self, "Problem"), Names(Problem.FieldProblem.CodingKeys.self, "ProblemItem"),
        Names(OAuthRefusal.CodingKeys.self, "OAuthError"), Names(FactorOption.CodingKeys.self, "Choice"),
        Names(Delivery.CodingKeys.self, "Delivery"),
    ]

    let openAPI: OpenAPI

    init() throws { openAPI = try OpenAPI.shared.get() }

    @Test(
        "Every name of a request or an answer is in its schema, and none of the schema is forgotten",
        arguments: requests + answers)
    func names(_ names: Names) throws {
        let properties = try Set(names.schemas.flatMap { try openAPI.schema($0).properties.keys })
        #expect(!properties.isEmpty, "\(names.schemas)")
        #expect(names.names == properties.subtracting(names.omitted), "\(names.schemas)")
        #expect(names.omitted.isSubset(of: properties), "\(names.schemas)")
    }

    @Test("Every type of step is known, and its members are read")
    func steps() throws {
        let next = try openAPI.schema("NextStep").properties["next_step"]?["oneOf"]?.array ?? []
        let schemas = next.compactMap { $0["$ref"]?.string?.split(separator: "/").last.map(String.init) }
        #expect(schemas.count > 10)
        var types: Set<String> = []
        var members: Set<String> = []
        for name in schemas {
            let properties = try openAPI.schema(name).properties
            let type = properties["type"]
            types.formUnion(
                [type?["const"]?.string].compactMap { $0 } + (type?["enum"]?.array ?? []).compactMap(\.string))
            members.formUnion(properties.keys)
        }
        #expect(types == Set(StepType.allCases.map(\.rawValue)))
        #expect(members == Set(StepMembers.CodingKeys.allCases.map(\.stringValue)))
    }

    @Test("Every kind of factor, every medium, every preferred factor is known")
    func enumerations() throws {
        let kinds = try openAPI.schema("Choice").properties["type"]?["enum"]?.array?.compactMap(\.string) ?? []
        #expect(Set(kinds) == Set(FactorOption.Kind.known.map(\.rawValue)))
        let new = try openAPI.schema("FactorRequest").properties["type"]?["enum"]?.array?.compactMap(\.string) ?? []
        #expect(Set(new) == Set(FactorRequest.Kind.allCases.map(\.rawValue)))
        let first = try openAPI.schema("AccountChange").properties["first_factor"]?["enum"]?.array ?? []
        #expect(Set(first.compactMap(\.string)) == Set(FirstFactor.allCases.map(\.rawValue)))
    }

    @Test("The error codes are those of the page")
    func codes() throws {
        let listed = try openAPI.schema("Code").enumeration
        #expect(listed.count > 50)
        #expect(Set(listed) == Set(ErrorCode.known.map(\.rawValue)))
    }

    @Test("Every example of a sign-in's answer is read, and no step of it is unsupported")
    func examples() throws {
        let client = try Rehearsal().client
        var steps: Set<String> = []
        for example in openAPI.examples where example.value["status"] != nil {
            // The operations page has others with this member: the health checks.
            guard ["signed_in", "next_step"].contains(example.value["status"]?.string) else { continue }
            let answer = try API.decoder.decode(SignInAnswer.self, from: try JSONEncoder().encode(example.value))
            guard case .nextStep(let next) = answer else { continue }
            steps.insert(next.step.type)
            if case .unsupported = Step(next, client: client, after: nil, now: Date()) {
                Issue.record("\(next.step.type) is unsupported")
            }
        }
        #expect(steps.count >= 10)
    }
}
