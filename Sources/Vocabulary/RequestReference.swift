/// The reference of a request, which users read out from pages: `request_id` in answers, logs and audit rows.
package enum RequestReference {
    /// Crockford's base 32, in which no two letters look alike.
    package static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    package static let length = 13

    /// The reference in a text such as `NG89GT61Q7JQ4` or `Reference: ng89gt61q7jq4`; nil for any other text.
    ///
    /// The caller's own id may follow after a dot.
    package static func find(in text: String) -> String? {
        let isLabelled = text.contains { ":：".contains($0) }
        let words = text.split { $0.isWhitespace || ":：".contains($0) }
        guard let word = words.last, words.count == 1 || isLabelled else { return nil }
        let (made, given) = (word.prefix(length).lowercased(), word.dropFirst(length))
        guard made.utf8.count == length, made.utf8.allSatisfy(letters.contains), given.isEmpty || given.first == "."
        else { return nil }
        return made + given
    }
}
