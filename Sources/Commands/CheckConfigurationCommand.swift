import ArgumentParser
import GatewaySettings
import JSON
import Telemetry

/// `gateway check-configuration`.
struct CheckConfigurationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-configuration",
        abstract: "Report every configuration error, or print the effective settings.",
        discussion: """
            Reads the same sources as serve, changes nothing, and prints no secret. If the database answers, it warns \
            of settings of the first app that differ from the app there and so have no effect. Exit status: 0, or 78 \
            if serve would refuse to start.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print the reference of all settings as Markdown instead.")
    var printReference = false

    @Flag(help: "Print .env.example instead.")
    var printExample = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        if printExample { return Terminal.write(EnvironmentExample.text) }
        if printReference { return Terminal.write(ConfigurationReference.text) }
        let configuration = try options.load()
        output.report(ConfigurationSummary.text(configuration), Self.json(configuration))
        for warning in configuration.warnings { Terminal.complain("warning: \(warning)") }
        for remark in await FirstApp.remarks(configuration) { Terminal.complain(remark) }
    }

    private static func json(_ configuration: GatewayConfiguration) -> JSON {
        let settings = ConfigurationSummary.settings(configuration).map {
            JSONObject.Member(name: $0.name, value: .string($0.shown))
        }
        return [
            "settings": .object(JSONObject(settings)), "warnings": .array(configuration.warnings.map(JSON.string)),
        ]
    }
}
