/// Compares protocol words, which are ASCII in every locale.
enum ASCII {
    static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A") <= byte && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    static func lowercased(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.map { lowercased($0) }, as: UTF8.self)
    }

    static func equalIgnoringCase(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) }
    }
}
