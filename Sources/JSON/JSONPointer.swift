/// Positions in a document as text (RFC 6901).
package enum JSONPointer {
    /// `/a/b` for the member `b` of the member `a`; empty for the whole document.
    package static func text(_ path: [String]) -> String {
        path.map { "/" + escaped($0) }.joined()
    }

    private static func escaped(_ name: String) -> String {
        var escaped = ""
        for character in name.unicodeScalars {
            switch character {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
