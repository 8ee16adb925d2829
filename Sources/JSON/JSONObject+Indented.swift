extension JSONObject {
    /// For reading: one member per line.
    package var indented: String { JSON.object(self).indented("") }
}

extension JSON {
    fileprivate func indented(_ margin: String) -> String {
        let inner = margin + "  "
        switch self {
        case .object(let object) where !object.members.isEmpty:
            let lines = object.members.map { "\(inner)\(JSON.string($0.name).text): \($0.value.indented(inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(margin)}"
        case .array(let items) where !items.isEmpty:
            return "[\n\(items.map { inner + $0.indented(inner) }.joined(separator: ",\n"))\n\(margin)]"
        default: return text
        }
    }
}
