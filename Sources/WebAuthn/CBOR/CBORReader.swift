/// Reads canonical CBOR from start to end.
///
/// A length is compared with the rest of the input before anything of that length is built.
struct CBORReader {
    let bytes: [UInt8]
    let limits: CBORLimits
    private(set) var position: Int
    private var items = 0

    init(_ bytes: [UInt8], at position: Int = 0, limits: CBORLimits = .standard) {
        self.bytes = bytes
        self.position = position
        self.limits = limits
    }

    func failure(_ problem: CBORError.Problem) -> CBORError {
        CBORError(problem: problem, offset: position)
    }

    /// One value, without checking the rest.
    mutating func value() throws(CBORError) -> CBOR {
        guard bytes.count <= limits.bytes else { throw failure(.tooLarge) }
        return try value(depth: 0)
    }

    private mutating func value(depth: Int) throws(CBORError) -> CBOR {
        items += 1
        guard items <= limits.items else { throw failure(.tooManyItems) }
        let first = try byte()
        let (major, information) = (first >> 5, first & 0x1F)
        switch major {
        case 0: return .integer(try integer(information))
        case 1: return .integer(-1 - (try integer(information)))
        case 2: return .bytes(Array(try slice(information)))
        case 3: return .text(try text(information))
        case 4: return .array(try array(information, depth: depth + 1))
        case 5: return .map(try map(information, depth: depth + 1))
        case 6: throw failure(.tag)
        default: return try simple(information)
        }
    }

    private mutating func byte() throws(CBORError) -> UInt8 {
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        defer { position += 1 }
        return bytes[position]
    }

    /// The number in the head of a value, in the fewest bytes that hold it.
    private mutating func argument(_ information: UInt8) throws(CBORError) -> UInt64 {
        switch information {
        case 0..<24: return UInt64(information)
        case 24...27:
            var value: UInt64 = 0
            let length = 1 << Int(information - 24)
            for _ in 0..<length { value = value << 8 | UInt64(try byte()) }
            let least: UInt64 = length == 1 ? 24 : 1 << UInt64(4 * length)
            guard value >= least else { throw failure(.notShortest) }
            return value
        case 31: throw failure(.indefiniteLength)
        default: throw failure(.unassigned)
        }
    }

    private mutating func integer(_ information: UInt8) throws(CBORError) -> Int {
        guard let value = Int(exactly: try argument(information)) else { throw failure(.integerTooLarge) }
        return value
    }

    private mutating func slice(_ information: UInt8) throws(CBORError) -> ArraySlice<UInt8> {
        let length = try argument(information)
        guard length <= UInt64(bytes.count - position) else { throw failure(.unexpectedEnd) }
        let start = position
        position += Int(length)
        return bytes[start..<position]
    }

    private mutating func text(_ information: UInt8) throws(CBORError) -> String {
        let content = try slice(information)
        guard let text = String(validating: content, as: UTF8.self) else { throw failure(.invalidUTF8) }
        return text
    }

    /// The number of elements, which take at least one byte each.
    private mutating func count(
        _ information: UInt8, bytesEach: Int, depth: Int
    ) throws(CBORError) -> Int {
        guard depth <= limits.depth else { throw failure(.tooDeep) }
        let count = try argument(information)
        guard count <= UInt64((bytes.count - position) / bytesEach) else { throw failure(.unexpectedEnd) }
        return Int(count)
    }

    private mutating func array(_ information: UInt8, depth: Int) throws(CBORError) -> [CBOR] {
        var elements: [CBOR] = []
        for _ in 0..<(try count(information, bytesEach: 1, depth: depth)) {
            elements.append(try value(depth: depth))
        }
        return elements
    }

    private mutating func map(_ information: UInt8, depth: Int) throws(CBORError) -> [CBOR.Entry] {
        var entries: [CBOR.Entry] = []
        var previous: ArraySlice<UInt8> = []
        for _ in 0..<(try count(information, bytesEach: 2, depth: depth)) {
            let start = position
            let key = try value(depth: depth)
            guard key.integer != nil || key.text != nil else { throw failure(.unsuitableKey) }
            let encoded = bytes[start..<position]
            if !entries.isEmpty { try checkOrder(of: previous, before: encoded) }
            previous = encoded
            entries.append(.init(key: key, value: try value(depth: depth)))
        }
        return entries
    }

    /// CTAP2 §8: the lower major type first, then the shorter key, then the lower bytes.
    ///
    /// All keys have the shortest form, so the length decides before the bytes, for numbers as for texts.
    private func checkOrder(of first: ArraySlice<UInt8>, before second: ArraySlice<UInt8>) throws(CBORError) {
        guard !first.elementsEqual(second) else { throw failure(.duplicateKey) }
        let types = (first.first.map { $0 >> 5 } ?? 0, second.first.map { $0 >> 5 } ?? 0)
        let isSorted =
            if types.0 != types.1 {
                types.0 < types.1
            } else if first.count != second.count {
                first.count < second.count
            } else {
                first.lexicographicallyPrecedes(second)
            }
        guard isSorted else { throw failure(.unsortedKeys) }
    }

    private func simple(_ information: UInt8) throws(CBORError) -> CBOR {
        switch information {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        case 25...27: throw failure(.float)
        case 31: throw failure(.indefiniteLength)
        default: throw failure(.unassigned)
        }
    }
}
