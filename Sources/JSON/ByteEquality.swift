extension String {
    /// Compares as bytes, unlike `==`, which takes composed and decomposed letters for the same.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { mine in
            unsafe other.utf8.withContiguousStorageIfAvailable { unsafe mine.elementsEqual($0) }
        }
        if let isSame, let isSame { return isSame }
        return utf8.elementsEqual(other.utf8)
    }
}
