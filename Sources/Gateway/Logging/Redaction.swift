import Cryptography
import JSON
import Logging

/// Keeps secrets out of the log, whatever a line says.
///
/// The rule is that no secret reaches a logger. This is the net below: values typed ``Secret`` print as dots by
/// themselves, values under telling names are covered, and so is anything that looks like a token or a key in a text.
enum Redaction {
    static let cover = "•••"

    private static let names: [String] = [
        "password", "secret", "token", "authorization", "cookie", "credential", "private_key", "code_verifier",
        "assertion", "nonce",
    ]

    private static let marks: [[UInt8]] = [
        "eyJ", "Atza|", "Atzr|", "-----BEGIN", "Bearer ", "hc_", "gho_", "ghu_",
    ].map { Array($0.utf8) }

    /// Whether a metadata value is covered for its name alone; names such as `token_kind` and `key_count` pass.
    static func isTelling(_ name: String) -> Bool {
        let lower = name.lowercased()
        return names.contains { lower == $0 || lower.hasSuffix("_" + $0) || lower.hasSuffix("." + $0) }
    }

    /// The text with everything covered that looks like a token or key; the same text when nothing does.
    static func covered(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard marks.contains(where: { position(of: $0, in: bytes, from: 0) != nil }) else { return text }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard let mark = marks.first(where: { starts($0, bytes, at: index) }) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result.append(contentsOf: cover.utf8)
            index = end(of: mark, in: bytes, from: index)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func end(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int {
        if mark.starts(with: "-----BEGIN".utf8) { return bytes.count }
        var index = start + mark.count
        while index < bytes.count, isTokenByte(bytes[index]) { index += 1 }
        return index
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_.~+/=|".utf8.contains(byte)
        }
    }

    private static func position(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        bytes.indices.dropFirst(start).first { starts(mark, bytes, at: $0) }
    }

    private static func starts(_ mark: [UInt8], _ bytes: [UInt8], at index: Int) -> Bool {
        guard bytes[index] == mark[0], index + mark.count <= bytes.count else { return false }
        return bytes[index..<(index + mark.count)].elementsEqual(mark)
    }
}
