import ArgumentParser
import Clients
import GatewaySettings
import JSON
import OperatorAccess
import Operators
import Telemetry

/// Commands that add and change apps.
extension ClientsCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a client.",
            discussion: """
                Every --provider is a sign-in method that the app offers; at least one is required, or - for none. With \
                --confidential, a secret is generated and printed once.
                """)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @Flag(help: "The client is a server that authenticates with a secret.") var confidential = false
        @OptionGroup var settings: Settings
        @OptionGroup var lists: ListOptions<NewClientLists>
        @OptionGroup var why: ReasonOption
        @OptionGroup var output: OutputOptions

        func run() async throws {
            guard ClientID.isValid(client) else { throw ValidationError("\(client) is not a valid client id.") }
            var members = try lists.members(of: [:], beside: settings.members())
            members["name"] = members["name"] ?? .string(client)
            try await Operator.serve(options, for: .signInMethods, about: .client) { services, actor in
                let made = try await services.clients.create(
                    client, ClientChange(members), isConfidential: confidential, because: why.reason(), by: actor)
                let effect = ClientDesk.Applied(id: client, before: nil, after: made.client, secret: made.secret)
                ClientsCommand.report(effect, output)
            }
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a client.",
            discussion: """
                Prints the difference, as `clients apply` does. --disable-use ends its sessions within a second. Of an \
                agent it also voids what users granted, so they are asked again after --enable-use.

                Example: gateway clients change shop --add-redirect-uri https://shop.example.com/signed-in
                """)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id, or the address of an agent's document.") var client: String
        @OptionGroup var settings: Settings
        @OptionGroup var lists: ListOptions<ClientLists>
        @Flag(inversion: .prefixedEnableDisable, help: "Enable or disable the client.") var use: Bool?
        @Flag(help: "Print the changes without making them.") var dryRun = false
        @OptionGroup var why: ReasonOption
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let (asked, id) = (try settings.members(), ClientDocument.resolved(client))
            if use == false, !dryRun {
                try consent.require("The sessions of the app end, and nobody signs in to it.", of: client)
            }
            try await Operator.serve(options, for: .signInMethods, about: .client, named: client) { services, actor in
                let held = try await services.clients.client(id, by: actor)
                var members = asked
                members["disabled"] = use.map { .bool(!$0) }
                for name in ["dialects", "openid"] {
                    guard let sent = asked[name]?.object, !sent.members.isEmpty else { continue }
                    members[name] = .object(Settings.merged(sent, besides: held[name]?.object ?? [:]))
                }
                members = try lists.members(of: held, beside: members)
                let changed = try await services.clients.change(
                    id, ClientChange(members), expecting: members.held(by: held), isDryRun: dryRun,
                    because: why.reason(), by: actor)
                ClientsCommand.report(
                    ClientDesk.Applied(id: id, before: held, after: changed, secret: nil), output)
                if dryRun, !output.json { Terminal.write("Dry run. Nothing has changed.") }
            }
        }
    }

    struct ReplaceSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replace-secret",
            abstract: "Replace the secret of a client. The new one is printed once; the old one stops working.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @Flag(help: "Keep the secret sealed instead of its digest, for protocols that use it as the key of an HMAC.")
        var sealed = false
        @OptionGroup var why: ReasonOption
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try consent.require("The present secret of the app stops working at once.", of: client)
            try await Operator.serve(options, for: .records, about: .client, named: client) { services, actor in
                let made = try await services.clients.replaceSecret(
                    client, kept: sealed ? .sealed : .digest, because: why.reason(), by: actor)
                output.report(
                    "Replaced the secret of \(client). It is shown once: \(made.secret)",
                    ["id": .string(client), "secret": .string(made.secret)])
            }
        }
    }

    /// The difference, and a new secret; as JSON the app with that secret.
    private static func report(_ effect: ClientDesk.Applied, _ output: OutputOptions) {
        var json = effect.after.object ?? [:]
        json["secret"] = effect.secret.map(JSON.string)
        let secret = effect.secret.map { ["Secret of \(effect.id), shown once: \($0)"] } ?? []
        output.report((Difference.lines(effect) + secret).joined(separator: "\n"), .object(json))
    }
}
