import Foundation

/// Any JSON value, for the parts of the API without a fixed shape: attributes, claims, WebAuthn options.
public enum JSONValue: Sendable, Hashable {
    /// Null.
    case null
    /// True or false.
    case bool(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object([String: JSONValue])

    /// The member of an object.
    public subscript(name: String) -> JSONValue? { if case .object(let members) = self { members[name] } else { nil } }

    /// The text of a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The elements of an array.
    public var array: [JSONValue]? { if case .array(let items) = self { items } else { nil } }
}

extension JSONValue: Codable {
    /// Reads any JSON value.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let items = try? value.decode([JSONValue].self) {
            self = .array(items)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    /// Writes the value; a number without a fraction as an integer.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .number(let number):
            if let integer = Int64(exactly: number) { try value.encode(integer) } else { try value.encode(number) }
        case .string(let text): try value.encode(text)
        case .array(let items): try value.encode(items)
        case .object(let members): try value.encode(members)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral text: String) { self = .string(text) }
    /// True or false.
    public init(booleanLiteral bool: Bool) { self = .bool(bool) }
    /// A whole number.
    public init(integerLiteral number: Int) { self = .number(Double(number)) }
    /// An array.
    public init(arrayLiteral items: JSONValue...) { self = .array(items) }
    /// An object; the last of two members with one name counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members) { $1 })
    }
    /// Null.
    public init(nilLiteral: ()) { self = .null }
}
