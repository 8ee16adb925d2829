import Cryptography
import Foundation

/// The parts of an input that several targets cut at line ends.
struct Input {
    let lines: [ArraySlice<UInt8>]

    /// - Parameter most: the last part takes the rest, with its line ends.
    init(_ bytes: [UInt8], most: Int = .max) {
        lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: most - 1, omittingEmptySubsequences: false)
    }

    /// A part; empty where there are fewer.
    func bytes(_ index: Int) -> [UInt8] { index < lines.count ? Array(lines[index]) : [] }

    func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

    /// A header's name and value, between which there is a colon; nil for any other line.
    static func header(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let value = parts[1].first == UInt8(ascii: " ") ? parts[1].dropFirst() : parts[1]
        return (String(decoding: parts[0], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
}

/// Keys and a time that targets share.
enum Fixture {
    static let key = made { try PrivateKey.generateP256() }
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let masterKeys = made { try MasterKeys("k1:\(Base64URL.encode(SHA256.hash("fuzz")))") }

    /// The value of a closure that cannot fail here.
    static func made<Value>(_ make: () throws -> Value) -> Value {
        do { return try make() } catch { fatalError("\(error)") }
    }

    /// A compact token with this header and these claims, signed by ``key``.
    static func token(header: [UInt8], claims: [UInt8]) -> String {
        let signed = Base64URL.encode(header) + "." + Base64URL.encode(claims)
        let signature = made { try key.sign(Array(signed.utf8), algorithm: .ES256) }
        return signed + "." + Base64URL.encode(signature)
    }
}

extension [UInt8] {
    /// The bytes with one bit of one of them changed.
    func flipped(_ place: Int) -> [UInt8] {
        var bytes = self
        bytes[place % count] ^= 1 << UInt8(place / count % 8)
        return bytes
    }
}
