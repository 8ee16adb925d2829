import FoundationEssentials
import HTTPTypes
import Testing

@testable import HTTPServer

@Suite("Request ids")
struct RequestIDTests {
    @Test(
        "F15: a harmless id is kept after the server's own id",
        arguments: ["a", "A-b_c.9", String(repeating: "x", count: 64)])
    func kept(id: String) {
        let given = RequestIDs.given([.requestID: id])
        let (one, two) = (RequestIDs.id(after: given), RequestIDs.id(after: given))
        #expect(one.hasSuffix(".\(id)") && two.hasSuffix(".\(id)"))
        #expect(one.utf8.count == 14 + id.utf8.count)
        #expect(one != two)
    }

    @Test(
        "any other id is omitted",
        arguments: ["", "a b", "a\"b", "ä", "a/b", "a=b", String(repeating: "x", count: 65)])
    func replaced(id: String) {
        #expect(RequestIDs.given([.requestID: id]) == nil)
        #expect(RequestIDs.isHarmless(RequestIDs.id(after: nil)))
    }

    @Test(
        "F13: an id that looks like a token is omitted",
        arguments: [
            "fl_0123456789abcdef", "rt_AbCdEfGh12345678", "mt_0123456789abcdef", "dt_0123456789abcdef",
            "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", "hc_0123456789", "whsec_0123456789", "gho_0123456789",
            "trace.fl_0123456789abcdef", "trace-eyJhbGciOiJFUzI1NiJ9",
        ])
    func token(id: String) {
        #expect(!RequestIDs.isHarmless(id))
        #expect(RequestIDs.given([.requestID: id]) == nil)
    }

    @Test(
        "F13: an id with a word that only ends like a token prefix is kept", arguments: ["start_time", "my_rt_1"])
    func word(id: String) {
        #expect(RequestIDs.given([.requestID: id]) == id)
    }

    @Test("generated ids are unique")
    func unique() {
        let ids = (0..<10_000).map { _ in RequestIDs.make() }
        #expect(Set(ids).count == ids.count)
    }

    @Test("the header is called X-Request-Id")
    func headerName() {
        #expect(HTTPField.Name.requestID.canonicalName == "x-request-id")
    }

    @Test(
        "dates have the format of RFC 9110",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        ])
    func dates(seconds: Int, text: String) {
        let clock = HTTPDateClock()
        for fraction in [0, 0.999] {
            #expect(clock.field(at: Date(timeIntervalSince1970: Double(seconds) + fraction)).value == text)
        }
        #expect(clock.field(at: Date(timeIntervalSince1970: Double(seconds) + 1)).value != text)
    }
}
