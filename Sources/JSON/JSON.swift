/// A JSON value, the basis of every wire format here.
///
/// Foundation's two readers disagree about repeated names, accept a byte-order mark and other encodings, and compare
/// texts by canonical equivalence. Identity documents must be unambiguous, so this type reads them.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case double(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    /// Reads one document, strictly by RFC 8259: UTF-8 without byte-order mark, no lone surrogates, no repeated member
    /// names at any level (compared after unescaping), nothing after the value.
    ///
    /// `1.0` and `1e3` become `double`, `-5` becomes `integer`, an integer beyond 64 bits becomes `double`.
    package init(parsing bytes: Span<UInt8>, limits: JSONLimits = .standard) throws(JSONError) {
        var parser = JSONParser(limits: limits)
        self = try parser.document(bytes)
    }

    /// The same for an array of bytes.
    package init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
        try self.init(parsing: bytes.span, limits: limits)
    }

    /// The same for a text.
    package init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
        guard text.utf8.count <= limits.bytes else {
            throw JSONError(problem: .tooLarge, offset: limits.bytes)
        }
        try self.init(parsing: Array(text.utf8).span, limits: limits)
    }
}

extension JSON {
    package var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The value of a number without fraction and exponent; `1.0` has none.
    package var integer: Int? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The value of any number.
    package var double: Double? {
        switch self {
        case .double(let value): value
        case .integer(let value): Double(value)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    package var array: [JSON]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    package var object: JSONObject? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    package var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    /// A member of an object, by its name as bytes; `nil` if this is no object or has no such member.
    package subscript(_ name: String) -> JSON? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }
}

extension JSON: Equatable {
    /// Texts are compared as bytes and the order of members does not count.
    ///
    /// `1` and `1.0` differ.
    package static func == (a: JSON, b: JSON) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}
