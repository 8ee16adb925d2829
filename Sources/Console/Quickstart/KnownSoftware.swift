/// Software that signs its users in here with OpenID Connect, and its settings.
struct KnownSoftware: Sendable {
    /// Our values in the settings.
    struct Provider: Sendable {
        let issuer: String
        let clientID: String
        /// The address of the metadata (OpenID Connect Discovery 1.0 §4).
        var metadata: String { "\(issuer)/.well-known/openid-configuration" }
    }

    /// What the software demands of the client's settings; the sentence is the message `console.relying_party.<it>`.
    enum Demand: String, Sendable, CaseIterable {
        /// It sends a proof key only if its own settings say so.
        case provesIfTold = "proves_if_told"
        /// It sends no proof key beside a secret, in some versions.
        case omitsProofKey = "omits_proof_key"
        /// It runs on users' devices, without a secret.
        case isPublic = "is_public"
        /// It reads claims from the ID token alone.
        case readsIDToken = "reads_id_token"
    }

    /// As its makers write it.
    let name: String
    /// Where its sign-ins lead back to, at an example's host.
    let redirectURI: String
    let demands: [Demand]
    /// The settings to copy, with the redirect address where they name it.
    let settings: @Sendable (Provider) -> String

    init(
        _ name: String, at redirectURI: String, _ demands: [Demand] = [],
        settings: @escaping @Sendable (Provider) -> String
    ) {
        (self.name, self.redirectURI, self.demands, self.settings) = (name, redirectURI, demands, settings)
    }

    /// In place of the secret, which no page shows again.
    static let secret = "CLIENT_SECRET"

    /// In the order of the page.
    static let known = [
        grafana, gitLab, nextcloud, oauth2Proxy, kubernetes, djangoAllauth, authJS, springSecurity, modAuthOpenIDC,
        argoCD,
    ]

    /// The id of its part of the page.
    var anchor: String { "rp-" + name.lowercased().map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined() }
}
