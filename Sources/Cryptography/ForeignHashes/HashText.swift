/// Strict readers for the parts of hash texts.
enum HashText {
    static let maximumLength = 512

    /// False for white space, control characters, non-ASCII characters or an excessive length, which no hash text has.
    static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= maximumLength && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    static func parts(_ text: some StringProtocol) -> [String] {
        text.split(separator: "$", omittingEmptySubsequences: false).map { String($0) }
    }

    /// A decimal number of at most ten digits, without sign or leading zero.
    static func number(_ text: some StringProtocol) -> Int? {
        guard (1...10).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "0"),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }

    /// The numbers of `m=…,t=…,p=…`: exactly these names in this order.
    static func numbers(_ text: String, named names: [String]) -> [Int]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == names.count else { return nil }
        var numbers: [Int] = []
        for (part, name) in zip(parts, names) {
            guard part.hasPrefix(name + "="), let number = number(part.dropFirst(name.count + 1)) else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// Unpadded base64 of the PHC string format.
    static func base64(_ text: String) -> [UInt8]? {
        Base64Codec.standard.decode(Array(text.utf8).span)
    }

    /// Passlib's variant, with a dot instead of the plus.
    static func adaptedBase64(_ text: String) -> [UInt8]? {
        let bytes = text.utf8.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "+") : $0 }
        return Base64Codec.standard.decode(bytes.span)
    }

    /// Base64 with exactly the necessary padding.
    static func paddedBase64(_ text: String) -> [UInt8]? {
        guard text.utf8.count.isMultiple(of: 4) else { return nil }
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        return base64(String(text.dropLast(padding)))
    }

    /// The value of a character of crypt(3)'s alphabet: `./0-9A-Za-z`.
    static func cryptValue(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: ".")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "."))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 12
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 38
        default: nil
        }
    }

    static func isCryptText(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { cryptValue($0) != nil }
    }
}
