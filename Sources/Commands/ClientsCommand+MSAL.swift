import ArgumentParser
import Clients
import JSON
import Telemetry
import Vocabulary

/// A form of MSAL's configuration.
enum MSALForm: String, EnumerableFlag {
    case config, js

    static func name(for form: MSALForm) -> NameSpecification { .customLong("msal-\(form.rawValue)") }

    static func help(for form: MSALForm) -> ArgumentHelp? {
        switch form {
        case .config:
            "Print auth_config_native_auth.json for MSAL on Android instead. On iOS, enter its values in code."
        case .js: "Print the argument of CustomAuthPublicClientApplication.create in JavaScript instead."
        }
    }

    /// The limits of an app's settings, for standard error.
    private static let redirectNote = """
        The app has no redirect URI for Android, such as org.example.app://auth. Sign-ins that need a browser will fail \
        there. Add one with gateway clients change --add-redirect-uri.
        """
    private static let confidentialNote = "The app is confidential. MSAL has no secret: set --type public."

    /// Prints the configuration of a client, as the desk returns it.
    ///
    /// - Throws: ``Failure`` with the remedy, for an app without native authentication or an unsuitable `PUBLIC_URL`.
    func write(_ client: JSON, publicURL: String) throws {
        let configuration = try Self.configuration(client, publicURL: publicURL)
        switch self {
        case .config:
            try MSALConfiguration.requireHost(of: publicURL)
            Terminal.write(configuration.android.indented)
            if configuration.androidRedirectURI == nil { Terminal.complain(Self.redirectNote) }
        case .js: Terminal.write(configuration.javaScript.indented)
        }
        if client["type"]?.string == Client.Kind.confidential.rawValue { Terminal.complain(Self.confidentialNote) }
    }

    private static func configuration(_ client: JSON, publicURL: String) throws -> MSALConfiguration {
        let dialects = try? ClientDialects(parsing: client["dialects"]?.object ?? [:])
        guard let app = dialects?.nativeAuth else {
            let id = client["id"]?.string ?? ""
            throw Failure(
                """
                The app \(id) does not speak native authentication. Run: gateway clients change \(id) --dialects \
                '{"\(TokenDialect.nativeAuth.rawValue)": {"tenant_id": "…", "application_id": "…"}}'
                """)
        }
        let providers = client["providers"]?.array ?? []
        return MSALConfiguration(
            app, publicURL: publicURL, takesPasswords: providers.contains(.string(FirstFactor.password.rawValue)),
            redirectURIs: client["redirect_uris"]?.array?.compactMap(\.string) ?? [])
    }
}
