package import Clients
import Settings

/// Apps that no operator registers, such as AI agents.
package struct AgentConfiguration: Sendable, Equatable {
    /// `CLIENT_DOCUMENTS`: whether an app may describe itself by a document at the address that is its client id: `off`,
    /// `listed` or `any`.
    ///
    /// Choice, default `off`, not secret.
    package let documents: ClientDocumentPolicy
    /// `CLIENT_REGISTRATION`: who may register an app by RFC 7591: `off`, `token` or `open`; with `CLIENT_REGISTRATION_TOKEN`.
    ///
    /// Choice, default `off`, not secret.
    package let registration: RegistrationPolicy
}

extension AgentConfiguration {
    static let keys: [ConfigurationKey] = [
        .clientDocuments, .clientDocumentHosts, .clientRegistration, .clientRegistrationToken,
    ]

    init(_ settings: inout SettingsReader, local: Bool) {
        let reach = settings.choice(.clientDocuments, else: ClientDocumentPolicy.Reach.off)
        let listed = settings.list(.clientDocumentHosts) ?? []
        if reach == .listed, listed.isEmpty {
            settings.complain(.clientDocumentHosts, "is missing: CLIENT_DOCUMENTS is listed")
        }
        documents = ClientDocumentPolicy(reach, listed: listed, allowsLocal: local)
        let token = settings.secret(.clientRegistrationToken)
        switch settings.choice(.clientRegistration, else: RegistrationPolicy.Word.off) {
        case .off: registration = .off
        case .open: registration = .open
        case .token:
            if token == nil { settings.complain(.clientRegistrationToken, "is missing: CLIENT_REGISTRATION is token") }
            registration = token.map(RegistrationPolicy.token) ?? .off
        }
    }
}

extension ConfigurationKey {
    static let clientDocuments = ConfigurationKey(
        "CLIENT_DOCUMENTS", .agents, .choice, default: "off", example: .form("any"),
        "Whether an app may describe itself by a document at the address that is its client id: `off`, `listed` for the hosts of CLIENT_DOCUMENT_HOSTS, or `any`. AI agents use it."
    )
    static let clientDocumentHosts = ConfigurationKey(
        "CLIENT_DOCUMENT_HOSTS", .agents, .list, shownAs: "none", example: .form("vscode.dev,claude.ai"),
        "Hosts, or whole addresses, of documents that you trust: their redirect addresses may be on other sites.")
    static let clientRegistration = ConfigurationKey(
        "CLIENT_REGISTRATION", .agents, .choice, default: "off", example: .form("open"),
        "Who may register an app by RFC 7591: `off`, `token` with CLIENT_REGISTRATION_TOKEN, or `open`. A registration that no user uses within a day is deleted."
    )
    static let clientRegistrationToken = ConfigurationKey(
        "CLIENT_REGISTRATION_TOKEN", .agents, secret: true, example: .form(""),
        "The initial access token for `CLIENT_REGISTRATION=token`.")
}
