import ArgumentParser
import Settings

/// Where the configuration is, for every command that needs it.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .customLong("env-file"),
        help: ArgumentHelp(
            "The file of KEY=value lines read beside the process environment, which wins.",
            discussion: "Without it, .env in the working folder is read if it is there.", valueName: "path"))
    var environmentFile: String?

    /// The configuration; every complaint goes to standard error and the command ends with 78.
    func load() throws -> GatewayConfiguration {
        do {
            return try GatewayConfiguration.load(environmentFile: environmentFile)
        } catch {
            Console.complain(error.description)
            throw ExitStatus.configuration
        }
    }
}
