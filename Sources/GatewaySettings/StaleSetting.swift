import Settings

/// A setting of the first app that has no effect, because the database has another value.
///
/// The start creates the app from its settings. Afterwards only the record in the database counts.
package struct StaleSetting: Sendable, Equatable {
    /// The setting, or several that give one value together.
    let name: String
    /// The value of the record, for people; never a secret.
    let held: String
    /// The options of `gateway clients change` that store the value of the setting; none for a secret.
    let options: [String]

    init(_ name: String, held: [String], option: String, _ values: [String]) {
        self.name = name
        self.held = held.isEmpty ? "none" : held.joined(separator: ", ")
        options = values.flatMap { [option, Self.shellWord($0)] }
    }

    private init(secret name: String) {
        (self.name, held, options) = (name, "another one", [])
    }

    /// The stale setting for a configured secret that differs from the stored one.
    static let secret = StaleSetting(secret: ConfigurationKey.clientSecret.name)

    /// The fault as a sentence without a period.
    package var fault: String { "\(name) has no effect: in the database the app has \(held)" }

    /// The text as one word of a shell's command.
    static func shellWord(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-_./:@%+=,".utf8.contains(byte)
            }
        }
        return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }
}
