/// Base32 (RFC 4648 §6) as users copy it: in groups, without padding.
package enum Base32Text {
    /// - Throws: for a letter outside the alphabet.
    package static func bytes(of text: String) throws -> [UInt8] {
        var (bits, count, bytes) = (0, 0, [UInt8]())
        for letter in text.uppercased() where letter != " " {
            guard let place = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567").firstIndex(of: letter) else {
                throw HarnessError("\(letter) is no Base32.")
            }
            (bits, count) = (bits << 5 | place, count + 5)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count & 0xFF))
                bits &= (1 << count) - 1
            }
        }
        return bytes
    }
}
