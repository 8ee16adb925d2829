import HTTPTypes
import Testing

@testable import HTTPServer

@Suite("Credentials of a request")
struct CredentialsTests {
    @Test(
        "follow the scheme, in any case, and at least one space",
        arguments: ["Bearer a.b-c", "bearer a.b-c", "BEARER a.b-c", "Bearer   a.b-c"])
    func found(header: String) {
        let headers: HTTPFields = [.authorization: header]
        #expect(headers.credentials(.bearer) == "a.b-c")
        #expect(headers.credentials(.basic) == nil)
    }

    @Test(
        "of another form are ignored",
        arguments: [
            "", "Bearer", "Bearer ", "Bearer   ", "Beare r", "Bearerr a", "Bearera", "Basic a", "Bear", "a",
            "\"earer a", "Bearer\ta", "Digest Bearer a",
        ])
    func none(header: String) {
        #expect(([.authorization: header] as HTTPFields).credentials(.bearer) == nil)
    }

    @Test("need the header, and are kept whole with inner spaces")
    func rest() {
        #expect(HTTPFields().credentials(.bearer) == nil)
        #expect(([.authorization: "Basic a b"] as HTTPFields).credentials(.basic) == "a b")
    }
}
