extension String {
    /// The words of a list that spaces separate, such as `scope` (RFC 6749 §3.3).
    package var words: [String] {
        utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    }
}
