import Testing
import WebAuthn

@Suite("Reasons")
struct ReasonTests {
    @Test("a reason is a code in small letters, and no two are the same", arguments: WebAuthnError.allCases)
    func codes(error: WebAuthnError) {
        #expect(error.rawValue.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_") })
        #expect(WebAuthnError.allCases.filter { $0.rawValue == error.rawValue } == [error])
    }
}
