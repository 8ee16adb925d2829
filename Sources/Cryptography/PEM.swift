/// Text armour around DER (RFC 7468).
enum PEM {
    static func encode(_ der: [UInt8], label: StaticString) -> String {
        var lines = Base64Codec.standard.encode(der)
        lines.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - lines.count % 4) % 4))
        var text = "-----BEGIN \(label)-----\n"
        for start in stride(from: 0, to: lines.count, by: 64) {
            text += String(decoding: lines[start..<min(start + 64, lines.count)], as: UTF8.self) + "\n"
        }
        return text + "-----END \(label)-----\n"
    }
}
