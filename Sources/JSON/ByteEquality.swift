import Glibc

extension String {
    /// Compares as bytes, unlike `==`, which treats composed and decomposed letters as equal.
    package func hasSameBytes(as other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { mine in
            unsafe other.utf8.withContiguousStorageIfAvailable { others in
                guard let mine = mine.baseAddress, let others = others.baseAddress else { return count == 0 }
                return unsafe memcmp(mine, others, count) == 0
            }
        }
        if let isSame, let isSame { return isSame }
        return utf8.elementsEqual(other.utf8)
    }
}
