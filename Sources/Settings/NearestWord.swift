/// Finds the known word that a mistyped one means.
package enum NearestWord {
    /// The nearest known word with its Levenshtein distance; of equal ones the first.
    package static func find(_ word: String, among known: some Sequence<String>) -> (word: String, distance: Int)? {
        let letters = Array(word.utf8)
        var best: (word: String, distance: Int)?
        for candidate in known {
            let distance = distance(letters, Array(candidate.utf8))
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best
    }

    /// Such as ` Did you mean 'list'?`; empty if no known word is near.
    package static func hint(_ word: String, among known: some Sequence<String>) -> String {
        // Two letters of a short word are most of it.
        let limit = word.utf8.count < 4 ? 1 : max(2, word.utf8.count / 3)
        guard let nearest = find(word, among: known), nearest.distance <= limit else { return "" }
        // Few people mistype the first letter and another one: `find` does not mean `link`.
        guard nearest.distance == 1 || nearest.word.first == word.first else { return "" }
        return " Did you mean '\(nearest.word)'?"
    }

    /// The Levenshtein distance: the number of inserted, deleted or changed letters.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let cost = min(row[j] + 1, row[j + 1] + 1, diagonal + (a == b ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = cost
            }
        }
        return row[right.count]
    }
}
