import ArgumentParser
import Clients
import GatewaySettings
import HTTPServer
import JSON
import Telemetry

/// A form of Amplify's configuration.
enum AmplifyForm: String, EnumerableFlag {
    case config, js, outputs

    static func name(for form: AmplifyForm) -> NameSpecification { .customLong("amplify-\(form.rawValue)") }

    static func help(for form: AmplifyForm) -> ArgumentHelp? {
        switch form {
        case .config: "Print amplifyconfiguration.json for Amplify in Swift and Android instead."
        case .js: "Print the argument of Amplify.configure in JavaScript instead."
        case .outputs: "Print amplify_outputs.json instead, which cannot name this gateway."
        }
    }

    /// The limit of a form, for standard error.
    private static let outputsNote = """
        amplify_outputs.json cannot name an endpoint. In Swift use --amplify-config instead. In JavaScript add \
        userPoolEndpoint, as --amplify-js prints it.
        """
    private static let secretNote = """
        The app is confidential. In Swift and Android add its secret as AppClientSecret beside AppClientId; JavaScript \
        needs an app of type public.
        """

    /// Prints the configuration of a client, as the desk returns it.
    ///
    /// - Throws: ``Failure`` with the remedy, for an app without Cognito's API or an unsuitable `PUBLIC_URL`.
    func write(_ client: JSON, publicURL: String) throws {
        let dialects = try? ClientDialects(parsing: client["dialects"]?.object ?? [:])
        guard let app = dialects?.cognito else {
            let id = client["id"]?.string ?? ""
            throw Failure(
                """
                The app \(id) does not speak Cognito's API. Run: gateway clients change \(id) --dialects \
                '{"\(TokenDialect.cognito.rawValue)": {"pool_id": "…", "client_id": "…"}}'
                """)
        }
        let configuration = AmplifyConfiguration(
            app: app,
            hostedSignIn: AmplifyConfiguration.hostedSignIn(client, prefersScheme: self == .config))
        switch self {
        case .config:
            let host = try AmplifyConfiguration.host(of: publicURL)
            Terminal.write(configuration.firstGeneration(host: host).indented)
        case .js: Terminal.write(configuration.javaScript(endpoint: publicURL).indented)
        case .outputs:
            Terminal.write(configuration.secondGeneration(endpoint: publicURL).indented)
            Terminal.complain(Self.outputsNote)
        }
        if client["type"]?.string == Client.Kind.confidential.rawValue { Terminal.complain(Self.secretNote) }
    }
}

extension ClientsCommand {
    /// `gateway clients convert-amplify FILE`.
    struct ConvertAmplify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "convert-amplify",
            abstract: "Convert amplify_outputs.json into amplifyconfiguration.json for this gateway.",
            discussion: """
                Amplify in Swift can't read an endpoint from amplify_outputs.json. The printed file of the first \
                generation has the same user pool and app client, and the host of PUBLIC_URL as the endpoint. The app at \
                the gateway needs the same ids: gateway clients change APP --dialects JSON.
                """)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The file amplify_outputs.json, version 1 or 1.x.", completion: .file(extensions: ["json"]))
        var file: String

        func run() async throws {
            let host: String
            do {
                host = try AmplifyConfiguration.host(of: try options.load(for: .publicURL).server.publicURL)
            } catch let failure as Failure {
                Terminal.complain(failure.description)
                throw ExitStatus.failure
            }
            do {
                let outputs = try AmplifyOutputs(path: file)
                Terminal.write(outputs.configuration.firstGeneration(host: host).indented)
                guard !outputs.omitted.isEmpty else { return }
                Terminal.complain("Left out, without a counterpart: \(outputs.omitted.joined(separator: ", ")).")
            } catch let failure as Failure {
                Terminal.complain(failure.description)
                throw ExitStatus.badData
            }
        }
    }
}
