import ArgumentParser

/// The question before a change that ends or deletes something.
struct Confirmation: ParsableArguments {
    @Flag(name: .customLong("yes"), help: Self.help) var isGiven = false

    init() {}

    init(isGiven: Bool) {
        self.isGiven = isGiven
    }

    /// The option, for a command whose options follow from a declaration.
    static var flag: Flag<Bool> { Flag(wrappedValue: false, name: .customLong("yes"), help: help) }

    private static let help = ArgumentHelp("Do not ask. Needed without a terminal.")

    /// Asks on a terminal.
    ///
    /// - Parameters:
    ///   - effect: what the command does, as sentences.
    ///   - object: the object of the change.
    /// - Throws: `ValidationError` without a terminal; ``Failure`` for any answer but yes.
    func require(_ effect: String, of object: String) throws {
        guard !isGiven else { return }
        try requireMeans(effect)
        let answer = TerminalPrompt.line("\(effect)\nContinue with \(object)? [y/N] ", isHidden: false)
        guard ["y", "yes"].contains(answer?.lowercased()) else { throw Failure("Nothing has changed.") }
    }

    /// Fails where nobody can answer, before a command prints the object of its question.
    func requireMeans(_ effect: String) throws {
        guard isGiven || TerminalPrompt.isAvailable else {
            throw ValidationError("This needs --yes without a terminal: \(effect)")
        }
    }
}
