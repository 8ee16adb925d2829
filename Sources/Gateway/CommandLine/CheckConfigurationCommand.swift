import ArgumentParser

/// `gateway check-configuration`.
struct CheckConfigurationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-configuration",
        abstract: "Say everything that is wrong with the configuration, or show what it comes to.",
        discussion: """
            Reads the same sources as serve and touches nothing else: no database, no network. No secret is ever \
            printed. Ends with 0, or with 78 when serve would refuse to start.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print the reference of all keys as Markdown instead.")
    var printReference = false

    @Flag(help: "Print .env.example instead.")
    var printExample = false

    func run() throws {
        if printExample { return Console.write(EnvironmentExample.text) }
        if printReference { return Console.write(ConfigurationReference.text) }
        let configuration = try options.load()
        Console.write(ConfigurationSummary.text(configuration))
        for warning in configuration.warnings { Console.complain("warning: \(warning)") }
    }
}
