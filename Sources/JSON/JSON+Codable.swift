/// A JSON value inside a document of `JSONEncoder` is a text that holds its own document.
///
/// Foundation's decoder would merge integers and doubles, and would lose the order of members.
extension JSON: Codable {
    package init(from decoder: any Decoder) throws {
        self = try JSON(parsing: try decoder.singleValueContainer().decode(String.self), limits: .provider)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension JSONObject: Codable {
    package init(from decoder: any Decoder) throws {
        guard let object = try JSON(from: decoder).object else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no object"))
        }
        self = object
    }

    package func encode(to encoder: any Encoder) throws { try JSON.object(self).encode(to: encoder) }
}
