import Cryptography
import JSON
import Outbound

/// The constants of a provider of plain OAuth 2.0, and the meaning of its documents.
package struct OAuthProviderKind: Sendable {
    let id: ProviderID
    let name: String
    /// The path of its documentation, from the root of the package.
    let documentation: String
    let keys: OAuthKeys
    let brand: ProviderBrand

    /// The provider's addresses, or those below the operator's replacement.
    let addresses: @Sendable (_ endpoint: OutboundURL?) -> OAuthAddresses
    let scope: String
    /// Nil if the page knows only one kind of answer and no parameter for it.
    var responseType: String? = "code"
    /// Parameters of the page that demand a new proof from the user, as far as the provider can.
    var reauthentication: [(String, String)] = []
    var authentication: @Sendable (Secret) -> TokenEndpoint.Client = { .secretInForm($0) }
    /// Error words of the token endpoint that mean something else here than in RFC 6749.
    var exceptions: [String: TokenEndpoint.Fault] = [:]
    /// The limit of an access token, in bytes.
    var longestToken = 4_096

    /// The path of the user document, below ``OAuthAddresses/api``.
    let userPath: String
    /// The member of the answer that contains the user; nil if the answer is the user.
    var userMember: String?
    /// - Throws: `refused(.subjectInvalid)` without a valid id.
    let user: @Sendable (JSONObject) throws(ProviderError) -> OAuthUser
    /// Nil if the user document contains the address.
    var emails: OAuthEmailList?
}

/// The addresses and names of a provider of plain OAuth 2.0.
struct OAuthAddresses: Sendable {
    /// The page for browsers.
    let page: String
    /// The token endpoint.
    let tokens: String
    /// The base of the API.
    let api: String
    /// The `iss` of its answers (RFC 9207); nil if it sends none.
    var issuer: String?
    /// The namespace of its user ids.
    let realm: String
    /// The domains of addresses that hide the user's own and receive no mail.
    var relayDomains: [String] = []
}

/// What a provider's API says about a user.
struct OAuthUser: Sendable {
    let subject: String
    let name: String?
    var email: OAuthEmail?
}

/// An address in a provider's document, and whether the provider says that it verified it.
struct OAuthEmail: Sendable {
    let address: String
    let isVerified: Bool
}

/// A list of the user's addresses beside the user document.
struct OAuthEmailList: Sendable {
    /// Below ``OAuthAddresses/api``.
    let path: String
    /// Whether an answer means that we may not see addresses, which is no failure.
    let isWithheld: @Sendable (HTTPResponse) -> Bool
    /// The address of the sign-in among the entries.
    let email: @Sendable ([JSON]) -> OAuthEmail?
}
