import FoundationEssentials

/// The codes of an authenticator app: TOTP with SHA-1, six digits and 30 seconds (RFC 6238).
enum AuthenticatorCode {
    static func counter(at now: Date) -> Int { Int(now.timeIntervalSince1970) / 30 }

    /// - Parameter secret: base32.
    static func code(_ secret: String, _ counter: Int) -> String {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
        let code = SHA1.authenticationCode(message, key: Base32.decode(secret))
        let offset = Int(code[19] & 15)
        let number = code[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// Base32 without padding (RFC 4648 §6).
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        let letters = stride(from: 0, to: bits.count, by: 5).map { start in
            let five = bits[start..<min(start + 5, bits.count)]
            return alphabet[Int(five.reduce(0) { $0 << 1 | $1 } << (5 - five.count))]
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Skips letters outside the alphabet.
    static func decode(_ text: String) -> [UInt8] {
        let bits = text.utf8.compactMap(alphabet.firstIndex).flatMap { value in (0..<5).map { value >> (4 - $0) & 1 } }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
            UInt8(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
        }
    }
}

/// SHA-1 (FIPS 180-4): broken for signatures, but still in use by authenticator apps.
private enum SHA1 {
    /// HMAC (RFC 2104).
    static func authenticationCode(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let short = key.count > 64 ? hash(key) : key
        let block = short + [UInt8](repeating: 0, count: 64 - short.count)
        return hash(block.map { $0 ^ 0x5C } + hash(block.map { $0 ^ 0x36 } + message))
    }

    static func hash(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for start in stride(from: 0, to: padded.count, by: 64) { mix(padded[start..<start + 64], into: &state) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(
                rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (round, word) in words.enumerated() {
            let (choice, constant) = function(round, b, c, d)
            let next = rotated(a, by: 5) &+ choice &+ e &+ constant &+ word
            (e, d, c, b, a) = (d, c, rotated(b, by: 30), a, next)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    private static func function(_ round: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, UInt32) {
        switch round {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
    }

    private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }
}
