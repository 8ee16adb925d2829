/// A CBOR value in the canonical form of CTAP2 §8, which authenticators must use and which has one encoding per value.
enum CBOR: Equatable, Sendable {
    case integer(Int)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    case map([Entry])
    case bool(Bool)
    case null

    struct Entry: Equatable, Sendable {
        let key: CBOR
        let value: CBOR
    }

    /// Reads one value and refuses extra bytes.
    init(parsing bytes: [UInt8], limits: CBORLimits = .standard) throws(CBORError) {
        var reader = CBORReader(bytes, limits: limits)
        self = try reader.value()
        guard reader.position == bytes.count else { throw reader.failure(.trailingBytes) }
    }
}

extension CBOR {
    var integer: Int? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    var bytes: [UInt8]? {
        guard case .bytes(let value) = self else { return nil }
        return value
    }

    var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    var array: [CBOR]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    var map: [Entry]? {
        guard case .map(let value) = self else { return nil }
        return value
    }

    /// The value of a key of a map, a text compared as bytes.
    subscript(_ key: String) -> CBOR? {
        map?.first { $0.key.text?.utf8.elementsEqual(key.utf8) ?? false }?.value
    }

    /// The value of a key of a map that is a number.
    subscript(_ key: Int) -> CBOR? {
        map?.first { $0.key.integer == key }?.value
    }
}
