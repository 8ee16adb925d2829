import JSON

/// Reading the members of an answer; a complaint names them as they stand in the body.
extension JSONObject {
    /// A typed code, spaces left out as people copy them along.
    func code() throws(Rejection) -> String {
        String(try text("code", most: 40).unicodeScalars.filter { !$0.properties.isWhitespace }.map(Character.init))
    }

    /// A text that must be there, under one of two names.
    func text(_ name: String, or other: String? = nil, most: Int) throws(Rejection) -> String {
        if let other, self[name] == nil, self[other] != nil { return try text(other, most: most) }
        guard let text = try optionalText(name, most: most), !text.isEmpty else {
            throw .invalidMember(pointer: "/response/\(name)", reason: "required")
        }
        return text
    }

    func optionalText(_ name: String, most: Int) throws(Rejection) -> String? {
        switch self[name] {
        case nil, .null: return nil
        case .string(let text) where text.utf8.count <= most: return text
        case .string: throw .invalidMember(pointer: "/response/\(name)", reason: "too_long")
        default: throw .invalidMember(pointer: "/response/\(name)", reason: "must_be_text")
        }
    }
}
