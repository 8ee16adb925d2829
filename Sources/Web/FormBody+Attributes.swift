import Clients
import HTTPServer
import JSON

extension FormBody {
    /// The values of the attributes that an app asks for.
    ///
    /// An invalid number stays text, so that the core refuses it with the right reason.
    func attributes(_ asked: [ClientAttribute]) -> JSONObject {
        var attributes = JSONObject()
        for attribute in asked {
            attributes[attribute.name] = self[StepPage.Attribute.prefix + attribute.name].map { text in
                switch attribute.kind {
                case .text, .date: .string(text)
                case .number: Self.number(text) ?? .string(text)
                case .flag: text == "true" ? true : text == "false" ? false : .string(text)
                }
            }
        }
        return attributes
    }

    /// A number in the format of browsers' number fields (HTML §2.3.4.3); `Double` accepts more spellings.
    private static func number(_ text: String) -> JSON? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        if let whole = Int(text) { return .integer(whole) }
        return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    }
}
