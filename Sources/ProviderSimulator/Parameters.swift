/// The names and values of a form body or a query, each name at most once.
struct Parameters: Sendable, Equatable {
    /// In the order sent.
    private(set) var names: [String] = []
    private var values: [String: String] = [:]

    /// Reads `application/x-www-form-urlencoded`; throws for a broken escape, a repeated name or text that is not
    /// UTF-8.
    init(parsing bytes: [UInt8]) throws(ParameterProblem) {
        guard !bytes.isEmpty else { return }
        for pair in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw .malformed }
            try add(name: Self.decoded(halves[0]), value: Self.decoded(halves[1]))
        }
    }

    subscript(_ name: String) -> String? { values[name] }

    /// The value of a name that `expect` has already required.
    func value(_ name: String) -> String { values[name] ?? "" }

    /// Requires every required name with a non-empty value, and refuses names that are neither required nor optional.
    func expect(required: Set<String>, optional: Set<String>) throws(ParameterProblem) {
        for name in names where !required.contains(name) && !optional.contains(name) { throw .unknown(name) }
        for name in required.sorted() where value(name).isEmpty { throw .missing(name) }
    }

    /// A single form-encoded text, or nil if it is invalid.
    static func decodedText(_ bytes: some Sequence<UInt8>) -> String? {
        try? decoded(Array(bytes)[...])
    }

    private mutating func add(name: String, value: String) throws(ParameterProblem) {
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .malformed }
        guard values.updateValue(value, forKey: name) == nil else { throw .doubled(name) }
        names.append(name)
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(ParameterProblem) -> String {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"): decoded.append(try escaped(rest.popFirst(), rest.popFirst()))
            default: decoded.append(byte)
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .malformed }
        return text
    }

    private static func escaped(_ high: UInt8?, _ low: UInt8?) throws(ParameterProblem) -> UInt8 {
        guard let high, let low,
            let upper = Character(Unicode.Scalar(high)).hexDigitValue,
            let lower = Character(Unicode.Scalar(low)).hexDigitValue
        else { throw .malformed }
        return UInt8(upper << 4 | lower)
    }
}

/// The reason why a form or a query is refused; the description names the parameter and never a value.
enum ParameterProblem: Error, Equatable, Sendable, CustomStringConvertible {
    case malformed
    case doubled(String)
    case unknown(String)
    case missing(String)

    var description: String {
        switch self {
        case .malformed: "the parameters are not form-encoded"
        case .doubled(let name): "the parameter \(name) was sent more than once"
        case .unknown(let name): "the parameter \(name) is not known here"
        case .missing(let name): "the parameter \(name) is missing"
        }
    }
}
