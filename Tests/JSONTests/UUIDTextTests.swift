import FoundationEssentials
import JSON
import Testing

@Suite("Ids as text")
struct UUIDTextTests {
    @Test("an id is written in lower case, and read from exactly 36 characters of either case")
    func roundTrip() {
        let text = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
        #expect(UUID(text: text)?.text == text)
        #expect(UUID(text: text.uppercased())?.text == text)
        for wrong in [
            "", String(text.dropLast()), text + "0", "{\(text)}", text.replacing("-", with: ""),
            "017f22e27-9b0-7cc3-98c4-dc0c0c07398f", "017f22e2-79b0-7cc3-98c4-dc0c0c07398g", " " + text, text + "\n",
            text + "\0",
        ] {
            #expect(UUID(text: wrong) == nil, "\(wrong)")
        }
    }
}
