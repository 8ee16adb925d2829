import FoundationEssentials
import JSON

/// The contents of `POST /control/mint`; docs/simulator.md describes each member.
struct MintOrder: Sendable {
    /// PKCE of a minted authorization code.
    enum Challenge: Sendable, Equatable {
        /// The simulator makes the verifier and returns it with the code.
        case generated
        case given(String)
        case none
    }

    let provider: ProviderName
    var person: Person
    var clientID: String
    var nonce: String?
    var now = Date()
    var signing = SigningMode.normal
    /// Whether it includes a redeemable authorization code; a batch has none.
    var withCode = true
    /// Replacements by the member of the order they come from, such as `claims` or `tokeninfo`.
    var replacements: [String: JSONObject] = [:]
    var nullClaims: [String] = []
    var redirectURI: String?
    var challenge = Challenge.generated
    var tenant: String?
    var isExternalTenant: Bool?
    var pool: String?
    var isPublicClient = false
    var hasProfile = true
    /// A list of addresses, unchanged.
    var emails: [JSON]?
    /// The granted scopes; nil: all that the provider has.
    var scopes: [String]?

    init(provider: ProviderName) {
        self.provider = provider
        person = .demo(of: provider)
        clientID = provider.kind?.client ?? ""
    }

    var seconds: Int { Int(now.timeIntervalSince1970) }

    func replaced(_ member: String, in usual: JSONObject) -> JSONObject {
        usual.overridden(by: replacements[member] ?? [:])
    }

    /// The claims with all changes of the order.
    func claims(_ usual: JSONObject) -> JSONObject {
        replaced("claims", in: usual).settingNull(nullClaims)
    }

    var header: JSONObject { replacements["header"] ?? [:] }
}
