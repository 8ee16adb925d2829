import Configuration
import Settings

extension SettingsReader {
    /// Reads from the process environment and the `.env` file.
    init(_ reader: ConfigReader, folder: String) {
        self.init(folder: folder) { name, isSecret in reader.string(forKey: ConfigKey([name]), isSecret: isSecret) }
    }
}
