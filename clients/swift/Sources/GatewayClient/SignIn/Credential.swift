/// The proof with which a user signs in.
///
/// The gateway takes every credential in one call; each function here makes one kind.
public struct Credential: Sendable {
    let provider: String
    let members: CredentialMembers

    init(_ provider: String, _ members: CredentialMembers = CredentialMembers()) {
        (self.provider, self.members) = (provider, members)
    }

    /// Name and password.
    public static func password(username: String, password: String) -> Credential {
        Credential("password", CredentialMembers(username: username, password: Secret(password)))
    }

    /// Only a name: the next step lets the user choose how to prove it.
    public static func username(_ username: String) -> Credential {
        Credential("password", CredentialMembers(username: username))
    }

    /// A code by mail to this address.
    public static func emailCode(_ address: String) -> Credential {
        Credential("email_otp", CredentialMembers(username: address))
    }

    /// A code by text message to this number, in international form.
    public static func textMessageCode(_ number: String) -> Credential {
        Credential("sms_otp", CredentialMembers(username: number))
    }

    /// None: a new account without a credential, if the app allows guests.
    ///
    /// The session is its only key.
    public static var guest: Credential { Credential("guest") }

    /// A passkey: the next step has the options for the system's dialogue.
    public static var passkey: Credential { Credential("passkey") }
}

/// The members of a credential; each kind uses some of them.
struct CredentialMembers: Encodable, Sendable {
    var username: String?
    var password: Secret?
    var idToken: Secret?
    var accessToken: Secret?
    var authorizationCode: Secret?
    var codeVerifier: Secret?
    var redirectURI: String?
    var clientID: String?
    var nonce: Secret?
    var name: FullName?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case username, password, nonce, name
        case idToken = "id_token"
        case accessToken = "access_token"
        case authorizationCode = "authorization_code"
        case codeVerifier = "code_verifier"
        case redirectURI = "redirect_uri"
        case clientID = "client_id"
    }

    struct FullName: Encodable, Sendable {
        let given: String?
        let family: String?
    }
}
