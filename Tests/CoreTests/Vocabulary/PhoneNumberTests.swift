import Testing
import Vocabulary

@Suite("Telephone numbers")
struct PhoneNumberTests {
    static let numbers = [
        ("+491701234567", "+491701234567"), ("+49 170 123-45 67", "+491701234567"),
        ("+1 (415) 555-2671", "+14155552671"),
        ("+44.20.7946.0958", "+442079460958"), ("+1234567", "+1234567"), ("+123456789012345", "+123456789012345"),
        ("+４９１７０１２３４５６７", "+491701234567"), ("\u{202A}+49\u{A0}170\u{2011}1234567\u{202C}", "+491701234567"),
        ("+61 (2) 9876 5432", "+61298765432"),
    ]

    static let trunkPrefixes = [
        ("+49 (0)151 12345678", "+4915112345678"), ("(+49)(0)151-12345678", "+4915112345678"),
        ("+44 (0) 20 7946 0958", "+442079460958"), ("+7 (8) 495 1234567", "+74951234567"),
        ("+36 (06) 1 2345678", "+3612345678"), ("+39 06 12345678", "+390612345678"),
        ("+39 (0)6 12345678", "+390612345678"), ("+225 0712345678", "+2250712345678"),
    ]

    @Test("3-R6: a trunk prefix in parentheses is dropped where numbers have one", arguments: trunkPrefixes)
    func trunkPrefix(typed: String, text: String) {
        #expect(PhoneNumber(typed)?.text == text)
    }

    @Test(
        "3-R6: a zero after another calling code is refused",
        arguments: ["+49 0151 12345678", "+49 (0151) 12345678", "+49 (0)(0)151 12345678"])
    func zero(typed: String) {
        #expect(PhoneNumber(typed) == nil)
    }

    @Test("a number is accepted in the usual notations and stored in one spelling", arguments: numbers)
    func taken(typed: String, text: String) throws {
        let number = try #require(PhoneNumber(typed))
        #expect(number.text == text)
        #expect(number.key == text)
    }

    static let others = [
        "", "+", "1701234567", "01701234567", "0049 170 1234567", "+0491701234567", "+123456", "+1234567890123456",
        "+49170123456a", "+49 170/1234567", "+49+1701234567", "+49170\n1234567",
        "+1 415 555 2671 ext. 9",
        "+491701234567                             ",
    ]

    @Test("an ambiguous number is refused", arguments: others)
    func refused(typed: String) {
        #expect(PhoneNumber(typed) == nil)
    }

    @Test(
        "a stranger sees the country and the end",
        arguments: [("+491701234512", "+49•••••12"), ("+1234567", "+12•••••67")])
    func masked(number: String, shown: String) {
        #expect(PhoneNumber(number)?.masked == shown)
    }
}
