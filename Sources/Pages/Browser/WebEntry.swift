package import Clients
import HTTPServer
package import Sessions
package import SignIn
package import Vocabulary

/// The parameters of a visit to a hosted page: the app, and the address to return to.
///
/// They travel in the addresses of pages and in hidden form fields. Each request checks them again.
package struct WebEntry: Sendable {
    package let client: Client
    package let target: LoginTarget
    /// `ui_locales` (OpenID Connect Core §3.1.2.1), as given.
    package let locales: String?
    /// `login_hint` (OpenID Connect Core §3.1.2.1), with which the field of the name is filled.
    package let loginHint: String?
    /// `prompt` of the first request; empty on later pages.
    package let prompt: Set<LoginPrompt>
    /// The entry as parameters.
    package let parameters: [(name: String, value: String)]
    /// The same, encoded, with the question mark.
    private let query: String

    private static let (longestLocales, longestHint) = (128, 254)

    /// Reads and checks the parameters of a page or a form.
    init(_ fields: FormBody, clients: ClientRegistry, defaultClient: String?, ownOrigin: String) throws(Rejection) {
        guard let id = fields["client_id"] ?? defaultClient, let client = clients.client(id) else {
            throw .clientUnknown
        }
        // RFC 6749 §3.1.1: an app that requests another type would wait for it in vain.
        guard fields["response_type"].map({ $0 == "code" }) ?? true else {
            throw .invalidField(.responseType, .mustBeCode)
        }
        let asked = LoginTarget.Asked(
            redirectURI: fields["redirect_uri"], state: fields["state"], challenge: fields["code_challenge"],
            challengeMethod: fields["code_challenge_method"], returnTo: fields["return_to"], scope: fields["scope"],
            nonce: fields["nonce"], responseMode: fields["response_mode"], dialect: fields["dialect"])
        let target = try LoginTarget(asked, client: client, ownOrigin: ownOrigin)
        // A request for a code must not end with a cookie. The app would receive no code and ask again.
        guard fields["response_type"] == nil || target.redirectURI == nil || target.challenge != nil else {
            throw .codeChallengeRequired
        }
        self.init(
            client: client, target: target, locales: fields["ui_locales"], loginHint: fields["login_hint"],
            prompt: try LoginPrompt.all(fields["prompt"]))
    }

    package init(
        client: Client, target: LoginTarget, locales: String?, loginHint: String? = nil, prompt: Set<LoginPrompt> = []
    ) {
        (self.client, self.target, self.prompt) = (client, target, prompt)
        self.locales = locales.flatMap { $0.utf8.count <= Self.longestLocales ? $0 : nil }
        self.loginHint = loginHint.flatMap { $0.utf8.count <= Self.longestHint ? $0 : nil }
        let asked = target.asked
        let all: [(String, String?)] = [
            ("client_id", client.id), ("redirect_uri", asked.redirectURI), ("state", asked.state),
            ("code_challenge", asked.challenge), ("return_to", asked.returnTo), ("scope", asked.scope),
            ("nonce", asked.nonce), ("response_mode", asked.responseMode), ("dialect", asked.dialect),
            ("login_hint", self.loginHint), ("ui_locales", self.locales),
        ]
        parameters = all.compactMap { name, value in value.map { (name, $0) } }
        query = "".addingQuery(parameters)
    }

    /// Whether an existing session serves this entry.
    ///
    /// It must be a cookie sign-in at the same app. The session must be valid for every audience of the app's new
    /// sessions.
    package func isServed(by session: SessionSnapshot) -> Bool {
        target.challenge == nil && session.facts.clientID == client.id
            && client.audiences(administers: session.administers) == client.audiences
    }

    /// The hint, if it is a name of this kind.
    package func hinted(_ kind: SignInName.Kind) -> String? {
        loginHint.flatMap { SignInName($0)?.kind == kind ? $0 : nil }
    }

    /// The targets to which forms of its pages may finally lead, besides our own pages.
    var formTargets: [String] {
        target.redirectURI.map(client.formTargets(endingAt:))
            ?? (target.returnPath?.isRequest == true ? client.formTargets : [])
    }

    package var hidden: [HiddenField] { parameters.map { HiddenField(name: $0.name, value: $0.value) } }

    /// Adds the parameters to an address that names the client already.
    package func adding(to address: String) -> String {
        address.addingQuery(parameters.filter { $0.name != "client_id" })
    }

    /// The address of another page with the same parameters.
    package func address(of path: String) -> String { path + query }
}
