import Clients
import JSON

/// Settings that a form shows with one entry per line.
extension ClientFields {
    /// `apple com.example.app`, one per line, in alphabetical order.
    static func audienceLines(_ json: JSON) -> String {
        [String: [String]](json).sorted { $0.key < $1.key }.flatMap { provider, audiences in
            audiences.map { "\(provider) \($0)" }
        }.joined(separator: "\n")
    }

    /// A line without an audience produces a provider without one, which the services refuse.
    static func audiences(_ text: String) -> JSON {
        var audiences: [String: [String]] = [:]
        for line in lines(text) {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            audiences[words[0], default: []] += words.dropFirst()
        }
        return audiences.json
    }

    /// `company:text:user!`, one per line, as in the configuration.
    static func attributeLines(_ attributes: [Facts]) -> String {
        attributes.compactMap { ClientAttribute(.object($0.members))?.text }.joined(separator: "\n")
    }

    /// An invalid line stays a text, which the services refuse.
    static func attribute(_ line: String) -> JSON {
        guard let attribute = ClientAttribute(line) else { return .string(line) }
        return [attribute].json.array?.first ?? .string(line)
    }

    static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimming(while: \.isWhitespace) }.filter { !$0.isEmpty }
    }
}

extension Substring {
    fileprivate func trimming(while isLeftOut: (Character) -> Bool) -> String {
        String(drop(while: isLeftOut).reversed().drop(while: isLeftOut).reversed())
    }
}
