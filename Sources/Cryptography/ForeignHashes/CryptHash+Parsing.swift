extension CryptHash {
    /// Reads a text with one of libxcrypt's prefixes.
    init(parsing text: String) throws(PasswordHashError) {
        let parts = HashText.parts(text)
        guard parts.count >= 4, parts[0].isEmpty, !text.utf8.contains(where: Self.isRefused) else {
            throw .malformedHash
        }
        switch parts[1] {
        case "5": try self.init(shaCrypt: text, parts, digestLength: 43)
        case "6": try self.init(shaCrypt: text, parts, digestLength: 86)
        case "7": try self.init(scrypt: text, parts)
        case "y": try self.init(yescrypt: text, parts)
        default: try self.init(parsingBcrypt: text)
        }
    }

    /// `$2b$12$` with 22 characters of salt and 31 of digest.
    init(parsingBcrypt text: String, ofDigest: Bool = false) throws(PasswordHashError) {
        let parts = HashText.parts(text)
        guard parts.count == 4, parts[0].isEmpty, ["2a", "2b", "2y"].contains(parts[1]), parts[2].utf8.count == 2,
            parts[2].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let cost = Int(parts[2]), cost >= 4,
            parts[3].utf8.count == 53, HashText.isCryptText(parts[3])
        else { throw .malformedHash }
        guard cost <= HashCost.mostBcryptCost else { throw .costRefused }
        self.init(setting: text, preparation: ofDigest ? .bcryptOfDigest : .bcrypt, digestLength: 31)
    }

    /// `$5$salt$digest`, or `$5$rounds=1000$salt$digest`.
    private init(shaCrypt text: String, _ parts: [String], digestLength: Int) throws(PasswordHashError) {
        let salt = parts[parts.count - 2]
        guard parts.count <= 5, (1...16).contains(salt.utf8.count), Self.isDigest(parts.last, digestLength),
            // libxcrypt would read this salt as the cost, and the digest as the salt.
            !salt.hasPrefix("rounds=")
        else { throw .malformedHash }
        if parts.count == 5 {
            guard let rounds = HashText.numbers(parts[2], named: ["rounds"])?.first, rounds >= 1_000 else {
                throw .malformedHash
            }
            guard rounds <= HashCost.mostSHACryptRounds else { throw .costRefused }
        }
        self.init(setting: text, preparation: .none, digestLength: digestLength)
    }

    /// `$7$`, then one character of log2 N, five of r, five of p, the salt.
    private init(scrypt text: String, _ parts: [String]) throws(PasswordHashError) {
        let setting = Array(parts[2].utf8)
        guard parts.count == 4, (12...75).contains(setting.count), Self.isDigest(parts[3], 43),
            let logN = Self.number(setting[0..<1]), let r = Self.number(setting[1..<6]),
            let p = Self.number(setting[6..<11])
        else { throw .malformedHash }
        guard HashCost.allowsScrypt(logN: logN, blockSize: r, parallelism: p) else { throw .costRefused }
        self.init(setting: text, preparation: .none, digestLength: 43)
    }

    /// `$y$j9T$salt$digest`: one character each for the recommended flavour `j`, log2 N and r, the last two less one.
    ///
    /// Other flavours and parameters exist, but no system uses them by default.
    private init(yescrypt text: String, _ parts: [String]) throws(PasswordHashError) {
        let setting = Array(parts[2].utf8)
        guard parts.count == 5, (1...86).contains(parts[3].utf8.count), HashText.isCryptText(parts[3]),
            Self.isDigest(parts[4], 43)
        else { throw .malformedHash }
        guard setting.count == 3, setting[0] == UInt8(ascii: "j"), let logN = HashText.cryptValue(setting[1]),
            let r = HashText.cryptValue(setting[2]), logN < 48, r < 48
        else { throw .unsupportedHash }
        guard HashCost.allowsScrypt(logN: logN + 1, blockSize: r + 1, parallelism: 1) else { throw .costRefused }
        self.init(setting: text, preparation: .none, digestLength: 43)
    }

    private static func isDigest(_ text: String?, _ length: Int) -> Bool {
        text.map { $0.utf8.count == length && HashText.isCryptText($0) } ?? false
    }

    /// A number in crypt(3)'s alphabet, the lowest six bits first.
    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for byte in text.reversed() {
            guard let value = HashText.cryptValue(byte) else { return nil }
            number = number << 6 | value
        }
        return number
    }

    /// Bytes that libxcrypt refuses in every setting.
    private static func isRefused(_ byte: UInt8) -> Bool {
        "!*:;\\".utf8.contains(byte)
    }
}
