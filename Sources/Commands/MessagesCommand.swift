import ArgumentParser
import JSON
import Messages
import Operators
import Telemetry

/// `gateway messages …`: manages the texts of mails and text messages.
struct MessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "List, change and preview the texts of mails and text messages.",
        subcommands: [List.self, Show.self, Change.self, Reset.self, Preview.self])

    struct LanguageOption: ParsableArguments {
        @Option(help: "en, de, ja, ru or zh-Hans.") var language = "en"
    }

    /// A message and a language.
    struct Message: ParsableArguments {
        @Argument(help: "The message's id, such as code-sign-in; `gateway messages list` prints all.")
        var message: String
        @OptionGroup var language: LanguageOption

        var place: MessageDesk.Place { get throws { try MessageDesk.Place(message, in: language.language) } }
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

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the messages as JSON, one per line, with the languages of their changed texts.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var language: LanguageOption

        func run() async throws {
            try await Operator.serve(options, about: .message) { services, actor in
                for message in try await services.messages.list(in: language.language, by: actor) {
                    Terminal.write(message.text)
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the texts of a message with their defaults and placeholders.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var message: Message

        func run() async throws {
            try await Operator.serve(options, about: .message) { services, actor in
                let shown = try await services.messages.show(message.place, by: actor)
                for text in shown["texts"]?.array ?? [] { Terminal.write(text.text) }
            }
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change texts of a message in one language.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var message: Message
        @OptionGroup var texts: Texts
        @OptionGroup var why: ReasonOption

        func run() async throws {
            let changed = JSONObject(
                try texts.byKey.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) })
            try await Operator.serve(options, about: .message) { services, actor in
                let shown = try await services.messages.change(
                    message.place, changed, because: why.reason(), by: actor)
                Terminal.write(shown.text)
            }
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Restore the default texts of a message in one language.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var message: Message
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options, about: .message) { services, actor in
                let shown = try await services.messages.reset(message.place, because: why.reason(), by: actor)
                Terminal.write(shown.text)
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

        func run() async throws {
            try await Operator.serve(options, about: .message) { services, actor in
                let place = try message.place
                try services.messages.check(try texts.byKey, of: place)
                let preview = try await services.messages.preview(
                    place, try texts.byKey, of: client, by: actor
                ).preview
                Terminal.write("Subject: \(preview.subject)\n\n\(preview.text)\nText message: \(preview.sms)")
            }
        }
    }
}
