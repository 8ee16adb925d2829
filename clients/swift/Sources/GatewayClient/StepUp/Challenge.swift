import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A challenge of `WWW-Authenticate` (RFC 9110 section 11.6.1); scheme and names are in lower case.
struct Challenge: Equatable {
    let scheme: String
    var parameters: [String: String] = [:]
    /// In place of parameters.
    var token68: String?

    /// The challenges of a header; nil if it breaks the grammar.
    static func list(_ header: String) -> [Challenge]? {
        guard let elements = elements(Array(header.utf8)) else { return nil }
        var challenges: [Challenge] = []
        for element in elements.map(\.trimmed) where !element.isEmpty {
            guard read(element, into: &challenges) else { return nil }
        }
        return challenges
    }

    /// The parts between the commas; nil if a quoted text does not end.
    private static func elements(_ bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
        var (elements, start, isQuoted, isEscaped) = ([ArraySlice<UInt8>](), 0, false, false)
        for (place, byte) in bytes.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isQuoted
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                elements.append(bytes[start..<place])
                start = place + 1
            }
        }
        return isQuoted ? nil : elements + [bytes[start...]]
    }

    /// Adds one element: a parameter of the last challenge, or the beginning of the next one.
    private static func read(_ element: ArraySlice<UInt8>, into challenges: inout [Challenge]) -> Bool {
        if let parameter = parameter(element) {
            return challenges.indices.last.map { challenges[$0].add(parameter) } ?? false
        }
        let scheme = element.prefix(while: isTokenByte)
        let rest = element[scheme.endIndex...]
        guard !scheme.isEmpty, rest.first ?? space == space else { return false }
        var challenge = Challenge(scheme: text(scheme).lowercased())
        let isRead = rest.isEmpty || challenge.begin(rest.drop { $0 == space })
        challenges.append(challenge)
        return isRead
    }

    private mutating func begin(_ rest: ArraySlice<UInt8>) -> Bool {
        if let parameter = Self.parameter(rest) { return add(parameter) }
        token68 = Self.text(rest)
        let body = rest.prefix { Self.isTokenByte($0) || $0 == UInt8(ascii: "/") }
        return rest[body.endIndex...].allSatisfy { $0 == UInt8(ascii: "=") }
    }

    /// A challenge has each parameter once.
    private mutating func add(_ parameter: (name: String, value: String)) -> Bool {
        guard token68 == nil, parameters[parameter.name] == nil else { return false }
        parameters[parameter.name] = parameter.value
        return true
    }
}

extension HTTPURLResponse {
    /// The errors of the challenges, such as `invalid_token` (RFC 6750 section 3).
    var challengeErrors: [String] {
        let challenges = value(forHTTPHeaderField: "WWW-Authenticate").flatMap(Challenge.list) ?? []
        return challenges.compactMap { $0.parameters["error"] }
    }
}
