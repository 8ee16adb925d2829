import GatewaySettings
import Providers
import Settings

/// Asks for every missing setting, and checks each answer at once.
struct SetupDialogue {
    /// The input ended before the last answer.
    struct Ended: Error {}

    /// Reads a line; the flag hides the input.
    ///
    /// Nil at the end of the input.
    let ask: (_ prompt: String, _ isHidden: Bool) -> String?
    let say: (String) -> Void

    /// - Parameter providers: the ids to set up; nil to ask for them.
    func complete(_ values: inout SetupValues, providers: [String]?) throws(Ended) {
        for key in SetupQuestions.general where values[key] == nil { try answer([key], &values) }
        let chosen = if let providers { providers } else { try chosenProviders() }
        for id in chosen {
            try setUp(id, &values)
        }
    }

    private func chosenProviders() throws(Ended) -> [String] {
        say(
            "\nProviders: \(SetupQuestions.providerIDs.joined(separator: ", ")), or an id of your own for any other OpenID Connect provider, such as google."
        )
        let line = try read("Providers, separated by commas [none]: ", isHidden: false)
        return line.split(separator: ",").map { ValueShape.trimmed($0) }.filter { !$0.isEmpty }
    }

    private func setUp(_ id: String, _ values: inout SetupValues) throws(Ended) {
        say("\n--- \(id) ---")
        values.enable(provider: id)
        try answer(SetupQuestions.keys(ofProvider: id).filter { values[$0] == nil }, &values)
    }

    /// Asks for settings that belong together, and repeats the faulty ones.
    private func answer(_ keys: [ConfigurationKey], _ values: inout SetupValues) throws(Ended) {
        var asked = keys
        while !asked.isEmpty {
            for key in asked { values[key] = try answer(key) }
            let complaints = values.complaints(about: keys)
            for complaint in complaints { say("  \(complaint)") }
            asked = keys.filter { key in complaints.contains { $0.key == key.name } }
        }
    }

    private func answer(_ key: ConfigurationKey) throws(Ended) -> String {
        let suggestion = SetupQuestions.suggestion(for: key)
        say("\n\(SettingText.of(key.summary))")
        let line = try read("\(key.name)\(suggestion.map { " [\($0)]" } ?? ""): ", isHidden: key.isSecret)
        return line.isEmpty ? suggestion ?? "" : line
    }

    private func read(_ prompt: String, isHidden: Bool) throws(Ended) -> String {
        guard let line = ask(prompt, isHidden) else { throw Ended() }
        return ValueShape.trimmed(line)
    }
}

extension SetupValues {
    /// Lists the id of an OpenID Connect provider; other providers have settings of their own.
    mutating func enable(provider id: String) {
        guard !SetupQuestions.providerIDs.contains(id), !providerIDs.contains(id) else { return }
        self[.openIDConnectProviders] = (providerIDs + [id]).joined(separator: ",")
    }
}
