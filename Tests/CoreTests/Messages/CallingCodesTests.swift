import Testing

@testable import Messages
@testable import Vocabulary

@Suite("Countries for text messages")
struct CallingCodesTests {
    @Test(
        "the prefix of a number decides",
        arguments: [
            (["49", "1"], "+491701234567", true), (["49", "1"], "+15005550006", true), (["49"], "+4312345678", false),
            (["49"], "+15005550006", false), (["420"], "+42012345678", true), (["42"], "+4912345678", false),
            (["1876"], "+18761234567", true), (["1876"], "+15005550006", false), ([], "+4312345678", true),
        ])
    func decides(codes: [String], number: String, isIncluded: Bool) throws {
        let countries = try #require(CallingCodes(codes))
        #expect(countries.include(try #require(PhoneNumber(number))) == isIncluded)
    }

    @Test("an invalid calling code is refused", arguments: ["", "+49", "049", "0", "49170", "DE", "4 9", "٤٩"])
    func refused(code: String) {
        #expect(CallingCodes([code]) == nil)
        #expect(CallingCodes(["49", code]) == nil)
    }
}
