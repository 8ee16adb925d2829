package import FoundationEssentials

extension UUID {
    /// The 36 characters of the id in lower case (RFC 9562 §4): the form in answers, tokens and records.
    ///
    /// Foundation's `uuidString` prints each byte with `snprintf`: docs/decisions/0018 has the measured gain.
    package var text: String {
        unsafe String(unsafeUninitializedCapacity: 36) { text in
            var end = 0
            unsafe withUnsafeBytes(of: uuid) { bytes in
                for index in 0..<16 {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        unsafe text[end] = UInt8(ascii: "-")
                        end += 1
                    }
                    unsafe text[end] = Self.digit(bytes[index] >> 4)
                    unsafe text[end + 1] = Self.digit(bytes[index] & 15)
                    end += 2
                }
            }
            return end
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// Reads the 36 characters, in either case.
    package init?(text: String) {
        // Foundation ignores everything after a NUL.
        guard text.utf8.count == 36 else { return nil }
        self.init(uuidString: text)
    }
}
