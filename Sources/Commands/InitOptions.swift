import ArgumentParser
import Foundation
import GatewaySettings
import HTTPServer
import Settings

/// The settings of `gateway init` that its arguments and the environment's secrets give.
struct InitOptions: ParsableArguments {
    @Option(help: "The public address, such as https://login.example.com.") var publicURL: String?
    @Option(help: "The sender of mails.") var mailFrom: String?
    @Option(name: .customLong("smtp-host"), help: "The mail server.") var smtpHost: String?
    @Option(name: .customLong("smtp-user"), help: "The user name at the mail server.") var smtpUser: String?
    @Option(name: .customLong("client-id"), help: "The id of the first app.") var clientID: String?
    @Option(help: "A redirect URI of the first app. Repeatable.") var redirectURI: [String] = []
    @Option(help: "A provider to set up. Repeatable.") var provider: [String] = []
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Any other setting, except secrets. Repeatable.", valueName: "NAME=value"),
        transform: Self.pair)
    var settings: [Pair] = []

    /// A setting of `--set`.
    struct Pair: Sendable, Equatable {
        let name: String
        let value: String
    }

    private static func pair(_ text: String) throws -> Pair {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw ValidationError("--set: \(text) is not NAME=value.")
        }
        return Pair(name: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
    }

    /// - Throws: `ValidationError` for an unknown setting, or a secret among the arguments.
    func values() throws -> SetupValues {
        var values = SetupValues()
        for id in provider { values.enable(provider: id) }
        (values[.publicURL], values[.mailFrom], values[.smtpHost]) = (publicURL, mailFrom, smtpHost)
        (values[.smtpUser], values[.clientID]) = (smtpUser, clientID)
        values[.clientRedirectURIs] = redirectURI.joined(separator: ",")
        for pair in settings { try set(pair, in: &values) }
        let environment = ProcessInfo.processInfo.environment
        for key in values.keys where key.isSecret { values[key] = environment[key.name] }
        return values
    }

    private func set(_ pair: Pair, in values: inout SetupValues) throws {
        guard !values.keys.contains(where: { $0.name == pair.name && $0.isSecret }) else {
            throw ValidationError(
                """
                --set: \(pair.name) is a secret. Other users of this machine can read arguments: \
                export \(pair.name)=… instead.
                """)
        }
        do {
            try values.set(pair.name, pair.value)
        } catch {
            throw ValidationError("--set: \(error.description)")
        }
    }
}
