/// The page for a user after a redirect to a provider: the app, its requests and the possible answers.
///
/// The form carries the request unchanged, and it is checked again, so that the simulator stores nothing of it.
struct ConsentPage: Sendable {
    let rules: AuthorizationRules
    let request: AuthorizationRequest
    /// The form's destination on this server.
    let action: String
    let demo: Person

    var answer: Answer {
        HTMLPage(title: "\(rules.title) (simulated)", colour: rules.colour, body: body).answer
    }

    private var body: String {
        """
        <h1>\(HTMLPage.escaped(rules.title))</h1>
        <p class="note">Played by the provider simulator. Be whoever you like.</p>
        <p><code>\(HTMLPage.escaped(request.clientID))</code> wants to know who you are. It asks for:</p>
        <ul id="scopes">\(scopes)</ul>
        <p class="note">You then go back to <code>\(HTMLPage.escaped(request.returning.uri))</code></p>
        <form method="post" action="\(HTMLPage.escaped(action))" autocomplete="off">
        \(FormField("request", request.query).hiddenInput)
        \(field("email", "E-mail", request.loginHint ?? demo.email))
        \(field("name", "Name", demo.name))
        \(field("subject", "Subject (empty: the provider's own for this e-mail)", ""))
        \(rules.choices.map(\.markup).joined(separator: "\n"))
        <button id="allow" class="main" name="decision" value="allow">Allow</button>
        <button id="cancel" name="decision" value="cancel">Cancel</button>
        <button id="fail" name="decision" value="fail">Fail</button>
        </form>
        """
    }

    private var scopes: String {
        guard !request.scopes.isEmpty else { return "<li>nothing beyond that</li>" }
        return request.scopes.map { "<li><code>\(HTMLPage.escaped($0))</code></li>" }.joined()
    }

    private func field(_ name: String, _ label: String, _ value: String) -> String {
        """
        <label for="\(name)">\(label)</label>
        <input id="\(name)" name="\(name)" value="\(HTMLPage.escaped(value))">
        """
    }
}

extension ConsentChoice {
    fileprivate var markup: String {
        switch self {
        case .emailVerified: box("E-mail is verified", isTicked: true)
        case .hideEmail: box("Hide my e-mail", isTicked: false)
        case .publicEmail: box("E-mail is public", isTicked: false)
        case .domainOwnerVerified:
            """
            <label for="\(rawValue)">E-mail's domain belongs to the tenant (\(rawValue))</label>
            <select id="\(rawValue)" name="\(rawValue)">
            <option value="">not said</option><option value="true">true</option><option value="false">false</option>
            </select>
            """
        }
    }

    private func box(_ label: String, isTicked: Bool) -> String {
        let ticked = isTicked ? " checked" : ""
        return "<label><input type=\"checkbox\" id=\"\(rawValue)\" name=\"\(rawValue)\" value=\"true\"\(ticked)> "
            + "\(label)</label>"
    }
}
