import ArgumentParser
import Clients
import GatewaySettings
import JSON
import Messages
import OperatorAccess
import Operators

/// `gateway messages …`: manages the texts of mails and text messages.
struct MessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "List, change and preview the texts of mails and text messages.",
        subcommands: [List.self, Show.self, Change.self, Reset.self, Preview.self])

    struct LanguageOption: ParsableArguments {
        @Option(help: "en, de, ja, ru or zh-Hans.", transform: Word.one(of: MessageEditing.languages))
        var language = "en"
    }

    /// A message and a language.
    struct Message: ParsableArguments {
        @Argument(help: "The message's id, such as code-sign-in; `gateway messages list` prints all.")
        var message: String
        @OptionGroup var language: LanguageOption

        var place: MessageDesk.Place { get throws { try MessageDesk.Place(message, in: language.language) } }

        func serve(
            _ options: ConfigurationOptions, _ body: (AdminServices, AdminActor) async throws -> Void
        ) async throws {
            try await Operator.serve(options, for: .messages, about: .message, named: message, body)
        }

        /// The texts with their defaults and placeholders; JSON has the whole message.
        func write(_ shown: JSON, _ output: OutputOptions) {
            output.write(
                ["key", "text", "default", "placeholders"], output.json ? [shown] : shown["texts"]?.array ?? [])
        }
    }

    /// Texts by key.
    struct Texts: ParsableArguments {
        @Option(name: .customLong("text"), help: "KEY=TEXT, such as 'code.subject={code} for {service}'. Repeatable.")
        var texts: [String] = []

        var byKey: [String: String] {
            get throws {
                var byKey: [String: String] = [:]
                for pair in texts {
                    let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    guard halves.count == 2 else { throw ValidationError("\(pair) is not KEY=TEXT.") }
                    byKey[String(halves[0])] = String(halves[1])
                }
                return byKey
            }
        }
    }

    /// Otherwise a missing app would be reported as a missing message.
    private static func requireClient(_ id: String, _ services: AdminServices, _ actor: AdminActor) async throws {
        do {
            _ = try await services.clients.client(id, by: actor)
        } catch AdminRefusal.notFound {
            throw Failure("There is no app \(id). See: gateway clients list")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the messages with the languages of their changed texts.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var language: LanguageOption
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .messages) { services, actor in
                output.write(
                    ["id", "title", "changed"], try await services.messages.list(in: language.language, by: actor))
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the texts of a message with their defaults and placeholders.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var message: Message
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await message.serve(options) { services, actor in
                message.write(try await services.messages.show(message.place, by: actor), output)
            }
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change texts of a message in one language.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var message: Message
        @OptionGroup var texts: Texts
        @OptionGroup var why: ReasonOption
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let changed = JSONObject(
                try texts.byKey.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) })
            try await message.serve(options) { services, actor in
                let shown = try await services.messages.change(
                    message.place, changed, because: why.reason(), by: actor)
                message.write(shown, output)
            }
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Restore the default texts of a message in one language.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var message: Message
        @OptionGroup var why: ReasonOption
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try consent.require("The changed texts of the message are deleted.", of: message.message)
            try await message.serve(options) { services, actor in
                let shown = try await services.messages.reset(message.place, because: why.reason(), by: actor)
                message.write(shown, output)
            }
        }
    }

    struct Preview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a message with example values. Stores and sends nothing.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var message: Message
        @OptionGroup var texts: Texts
        @Option(help: "The app with the brand to use.") var client: String?
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await message.serve(options) { services, actor in
                if let client { try await MessagesCommand.requireClient(client, services, actor) }
                let place = try message.place
                try services.messages.check(try texts.byKey, of: place)
                let preview = try await services.messages.preview(
                    place, try texts.byKey, of: client, by: actor
                ).preview
                output.report(
                    "Subject: \(preview.subject)\n\n\(preview.text)\nText message: \(preview.sms)",
                    [
                        "subject": .string(preview.subject), "text": .string(preview.text),
                        "sms": .string(preview.sms),
                    ])
            }
        }
    }
}
