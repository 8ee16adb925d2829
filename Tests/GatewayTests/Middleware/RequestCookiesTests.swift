import HTTPTypes
import Testing

@testable import HTTPServer

@Suite("Cookies of a request")
struct RequestCookiesTests {
    private static func cookies(_ values: String...) -> RequestCookies {
        RequestCookies(HTTPFields(values.map { HTTPField(name: .cookie, value: $0) }))
    }

    @Test("come from every field, with everything after the first equals sign")
    func values() {
        let cookies = Self.cookies("a=1; b=x=y;c=", "d=4; nothing;  e=5")
        #expect(["a", "b", "c", "d", "e"].map { cookies[$0] } == ["1", "x=y", "", "4", "5"])
        #expect(cookies["nothing"] == nil)
        #expect(cookies.names(withPrefix: "") == ["a", "b", "c", "d", "e"])
    }

    @Test("of one name identify none of them")
    func repeated() {
        #expect(Self.cookies("a=1; a=1")["a"] == nil)
        #expect(Self.cookies("a=1", "a=2")["a"] == nil)
    }

    @Test("end at a semicolon, also before a combining mark")
    func bytes() {
        #expect(Self.cookies("a=1;\u{301}b=2")["a"] == "1")
    }
}
