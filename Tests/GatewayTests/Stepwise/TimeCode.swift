import Foundation
import TestSupport

/// The code of an authenticator app, by an independent program: `openssl` makes the HMAC (RFC 6238).
enum TimeCode {
    static func code(_ secret: String, at date: Date) async throws -> String {
        let counter = UInt64(date.timeIntervalSince1970) / 30
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * UInt64($0))) }
        let code = try await hmac(message, key: decoded(secret))
        guard code.count == 20 else { return "" }
        let offset = Int(code[19] & 15)
        let number = code[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        return String(format: "%06d", number % 1_000_000)
    }

    private static func hmac(_ message: [UInt8], key: [UInt8]) async throws -> [UInt8] {
        let hex = key.map { String(format: "%02x", $0) }.joined()
        return try await ChildProcess.run(
            ["openssl", "dgst", "-sha1", "-mac", "HMAC", "-macopt", "hexkey:" + hex, "-binary"], input: message)
    }

    private static func decoded(_ secret: String) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = secret.compactMap(alphabet.firstIndex).flatMap { value in (0..<5).map { value >> (4 - $0) & 1 } }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
            UInt8(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
        }
    }
}
