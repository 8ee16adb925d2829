import HTTPTypes
import Testing

@testable import HTTPServer

@Suite("The media type of a form")
struct FormTypeTests {
    private static let form = "application/x-www-form-urlencoded"

    @Test(
        "may have any charset, which has no effect: escapes are UTF-8",
        arguments: ["", "; charset=ISO-8859-1", ";charset=\"iso-8859-1\"", "; charset=UTF-8", ";"])
    func charsets(parameter: String) {
        #expect(throws: Never.self) {
            try BodyMediaType.form.require(in: [.contentType: Self.form + parameter])
        }
    }

    @Test(
        "is no other type and has no other parameter",
        arguments: [
            form + "; boundary=x", form + "2", "text/plain; charset=ISO-8859-1", "application/json; charset=utf-8",
        ])
    func others(type: String) {
        #expect(throws: Problem.self) { try BodyMediaType.form.require(in: [.contentType: type]) }
    }
}
