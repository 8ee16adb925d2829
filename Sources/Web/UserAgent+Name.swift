import HTTPServer
import Vocabulary

extension UserAgent {
    /// The known name, otherwise the beginning of the text, which the caller chose.
    static func name(_ text: String) -> String { known(text) ?? text.bounded(bytes: 60) }
}
