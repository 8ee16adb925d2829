import FoundationEssentials
import JSON

/// What is to be minted, as `POST /control/mint` says it; docs/simulator.md has the members one by one.
struct MintOrder: Sendable {
    /// PKCE of a minted authorization code.
    enum Challenge: Sendable, Equatable {
        /// The simulator makes the verifier and hands it out with the code.
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
    /// Whether a redeemable authorization code comes with it; a batch has none.
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
    /// A list of addresses, as given.
    var emails: [JSON]?
    /// What was granted; nil: all that the provider has.
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

    /// The claims with everything applied that the order asks for.
    func claims(_ usual: JSONObject) -> JSONObject {
        replaced("claims", in: usual).settingNull(nullClaims)
    }

    var header: JSONObject { replacements["header"] ?? [:] }
}
