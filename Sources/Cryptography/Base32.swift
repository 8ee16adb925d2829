/// Base32 (RFC 4648 §6) without padding: letters and digits that users can type.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var held = 0
        var count = 0
        for byte in bytes {
            held = held << 8 | Int(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[held >> count & 0x1F])
            }
            held &= 1 << count - 1
        }
        if count > 0 { text.append(alphabet[held << (5 - count) & 0x1F]) }
        return String(decoding: text, as: UTF8.self)
    }
}
