/// Reads one document from start to end; arrays and objects are here, texts and numbers in other files.
///
/// The bytes are passed to each method, because a span cannot be stored.
struct JSONParser {
    let limits: JSONLimits
    var position = 0
    private var members = 0

    init(limits: JSONLimits) {
        self.limits = limits
    }

    mutating func document(_ bytes: Span<UInt8>) throws(JSONError) -> JSON {
        guard bytes.count <= limits.bytes else {
            throw JSONError(problem: .tooLarge, offset: limits.bytes)
        }
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw failure(.byteOrderMark)
        }
        let value = try value(bytes, depth: 0)
        skipWhitespace(bytes)
        guard position == bytes.count else { throw failure(.trailingBytes) }
        return value
    }

    func failure(_ problem: JSONError.Problem) -> JSONError {
        JSONError(problem: problem, offset: position)
    }

    /// The byte at the current position.
    func current(_ bytes: Span<UInt8>) throws(JSONError) -> UInt8 {
        guard position < bytes.count else { throw failure(.unexpectedEnd) }
        return bytes[position]
    }

    private mutating func skipWhitespace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSON {
        skipWhitespace(bytes)
        switch try current(bytes) {
        case UInt8(ascii: "\""): return .string(try string(bytes))
        case UInt8(ascii: "{"): return .object(try object(bytes, depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(bytes, depth: depth + 1))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
        case UInt8(ascii: "t"): return try word("true", meaning: .bool(true), bytes)
        case UInt8(ascii: "f"): return try word("false", meaning: .bool(false), bytes)
        case UInt8(ascii: "n"): return try word("null", meaning: .null, bytes)
        default: throw failure(.unexpectedByte)
        }
    }

    private mutating func word(
        _ word: StaticString, meaning: JSON, _ bytes: Span<UInt8>
    ) throws(JSONError) -> JSON {
        for expected in word.description.utf8 {
            try expect(expected, bytes)
        }
        return meaning
    }

    private mutating func expect(_ byte: UInt8, _ bytes: Span<UInt8>) throws(JSONError) {
        guard try current(bytes) == byte else { throw failure(.unexpectedByte) }
        position += 1
    }

    /// After an element: true if another follows, false if the collection ends.
    private mutating func anotherFollows(until close: UInt8, _ bytes: Span<UInt8>) throws(JSONError) -> Bool {
        skipWhitespace(bytes)
        let byte = try current(bytes)
        guard byte == UInt8(ascii: ",") || byte == close else { throw failure(.unexpectedByte) }
        position += 1
        return byte != close
    }

    /// Enters a collection: true if it is empty.
    private mutating func opensEmpty(
        until close: UInt8, depth: Int, _ bytes: Span<UInt8>
    ) throws(JSONError) -> Bool {
        guard depth <= limits.depth else { throw failure(.tooDeep) }
        position += 1
        skipWhitespace(bytes)
        guard try current(bytes) == close else { return false }
        position += 1
        return true
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> [JSON] {
        let close = UInt8(ascii: "]")
        if try opensEmpty(until: close, depth: depth, bytes) { return [] }
        var elements: [JSON] = []
        repeat {
            do throws(JSONError) {
                elements.append(try value(bytes, depth: depth))
            } catch {
                throw error.inside(String(elements.count))
            }
        } while try anotherFollows(until: close, bytes)
        return elements
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONObject {
        let close = UInt8(ascii: "}")
        if try opensEmpty(until: close, depth: depth, bytes) { return JSONObject() }
        var object: [JSONObject.Member] = []
        // Few have more members, and growing from one would move them three times.
        object.reserveCapacity(8)
        var names = JSONNames()
        repeat {
            let name = try memberName(bytes)
            guard names.insert(name, beside: object) else { throw failure(.duplicateName).inside(name) }
            do throws(JSONError) {
                object.append(.init(name: name, value: try value(bytes, depth: depth)))
            } catch {
                throw error.inside(name)
            }
        } while try anotherFollows(until: close, bytes)
        return JSONObject(distinct: object)
    }

    /// A name and its colon.
    private mutating func memberName(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        members += 1
        guard members <= limits.members else { throw failure(.tooManyMembers) }
        skipWhitespace(bytes)
        guard try current(bytes) == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
        let name = try string(bytes)
        skipWhitespace(bytes)
        try expect(UInt8(ascii: ":"), bytes)
        return name
    }
}

/// The names of an object during reading: compared one by one while few, hashed when many, so that a large object
/// doesn't cost quadratic time.
private struct JSONNames {
    private static let few = 24
    private var hashed: Set<[UInt8]> = []

    /// False for a duplicate name.
    mutating func insert(_ name: String, beside members: [JSONObject.Member]) -> Bool {
        if members.count < Self.few {
            return !members.contains { $0.name.hasSameBytes(as: name) }
        }
        if members.count == Self.few {
            hashed = Set(members.map { Array($0.name.utf8) })
        }
        return hashed.insert(Array(name.utf8)).inserted
    }
}
