import Settings
import Testing

@Suite("The nearest word")
struct NearestWordTests {
    private static let words = ["show", "list", "replace-secret", "change", "apply"]

    @Test(
        "a slip is answered with the word that it stands for",
        arguments: [
            ("lst", "list"), ("sohw", "show"), ("chnage", "change"), ("replcae-secrets", "replace-secret"),
            ("aply", "apply"),
        ])
    func slips(typed: String, meant: String) {
        #expect(NearestWord.hint(typed, among: Self.words) == " Did you mean '\(meant)'?")
    }

    @Test(
        "a word that resembles none gets no suggestion", arguments: ["", "x", "frobnicate", "sec", "replace", "fisk"])
    func strange(typed: String) {
        #expect(NearestWord.hint(typed, among: Self.words) == "")
        #expect(NearestWord.hint(typed, among: [] as [String]) == "")
    }
}
