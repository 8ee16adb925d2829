/// Compares protocol words, which are ASCII in every locale.
package enum ASCII {
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A") <= byte && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    package static func lowercased(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.map { lowercased($0) }, as: UTF8.self)
    }

    package static func equalIgnoringCase(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) }
    }
}
