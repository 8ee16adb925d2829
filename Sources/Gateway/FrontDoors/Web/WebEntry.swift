import Sessions

/// With what somebody comes to a hosted page: for which app, and where to afterwards.
///
/// It travels in the address of pages and in the hidden fields of forms, and is judged anew each time.
struct WebEntry: Sendable {
    let client: Client
    let target: LoginTarget
    /// `ui_locales` (OpenID Connect Core §3.1.2.1), as given.
    let locales: String?

    private static let longestLocales = 128

    /// Reads the parameters of a page or a form.
    init(_ fields: FormBody, clients: ClientRegistry, defaultClient: String?, ownOrigin: String) throws(Rejection) {
        guard let id = fields["client_id"] ?? defaultClient, let client = clients.client(id) else {
            throw .clientUnknown
        }
        // RFC 6749 §3.1.1: who asks for anything but a code would wait for it in vain.
        guard fields["response_type"].map({ $0 == "code" }) ?? true else {
            throw .invalidField(.responseType, .mustBeCode)
        }
        let asked = LoginTarget.Asked(
            redirectURI: fields["redirect_uri"], state: fields["state"], challenge: fields["code_challenge"],
            challengeMethod: fields["code_challenge_method"], returnTo: fields["return_to"])
        let target = try LoginTarget(asked, client: client, ownOrigin: ownOrigin)
        // Who asks for a code gets no cookie in its place: nothing would come back, and the app would ask again.
        guard fields["response_type"] == nil || target.redirectURI == nil || target.challenge != nil else {
            throw .codeChallengeRequired
        }
        self.init(client: client, target: target, locales: fields["ui_locales"])
    }

    init(client: Client, target: LoginTarget, locales: String?) {
        (self.client, self.target) = (client, target)
        self.locales = locales.flatMap { $0.utf8.count <= Self.longestLocales ? $0 : nil }
    }

    /// The same again, as parameters.
    var parameters: [(name: String, value: String)] {
        let asked = target.asked
        let all: [(String, String?)] = [
            ("client_id", client.id), ("redirect_uri", asked.redirectURI), ("state", asked.state),
            ("code_challenge", asked.challenge), ("return_to", asked.returnTo), ("ui_locales", locales),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }

    var hidden: [HiddenField] { parameters.map { HiddenField(name: $0.name, value: $0.value) } }

    /// An address that names the client already, with the rest of the parameters: as an app completes it.
    func adding(to address: String) -> String {
        address.addingQuery(parameters.filter { $0.name != "client_id" })
    }

    /// The address of another page with the same parameters.
    func address(of path: String) -> String {
        path.addingQuery(parameters)
    }
}
