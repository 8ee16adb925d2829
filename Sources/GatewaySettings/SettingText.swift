/// The text of a setting without the marks of Markdown.
package enum SettingText {
    /// Code without backticks, and a link as its address below `docs/`.
    package static func of(_ markdown: String) -> String {
        var text = ""
        var rest = Substring(markdown.filter { $0 != "`" })
        while let open = rest.firstIndex(of: "["), let middle = rest[open...].firstRange(of: "]("),
            let close = rest[middle.upperBound...].firstIndex(of: ")")
        {
            text += rest[..<open] + "docs/" + rest[middle.upperBound..<close]
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    package static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
