extension String {
    /// Compares as bytes, unlike `==`, which takes composed and decomposed letters for the same.
    ///
    /// Equal bytes imply `==`, and `==` is the quicker way to a "no".
    package func hasSameBytes(as other: String) -> Bool {
        self == other && utf8.elementsEqual(other.utf8)
    }
}
