import Testing

@testable import Console

/// What an app's form does with typed values.
@Suite("The fields of an app's form")
struct ClientFieldsTests {
    @Test(
        "a length of time is shown in its largest unit without a rest, and read back as the same seconds",
        arguments: [
            ("2592000", "30", "days"), ("3600", "1", "hours"), ("5400", "90", "minutes"), ("61", "61", "seconds"),
        ])
    func spans(_ seconds: String, _ number: String, _ unit: String) {
        #expect(ClientFields.parts(ofSeconds: seconds) == (number, unit))
        #expect(ClientFields.seconds(number, unit: unit) == seconds)
    }

    @Test(
        "text that is no length of time stays, for the services to refuse",
        arguments: ["soon", "", "1.5", "99999999999999999999", "9223372036854775807"])
    func malformed(_ text: String) {
        #expect(ClientFields.seconds(text, unit: "days") == text)
    }

    @Test("a number without a unit is in seconds")
    func withoutUnit() {
        #expect(ClientFields.seconds(" 600 ", unit: nil) == "600")
        #expect(ClientFields.parts(ofSeconds: "0") == ("0", "seconds"))
    }

    @Test(
        "a new app's id comes from its name, unless one is typed",
        arguments: [
            ("", "My Shop", "my-shop"), ("", "Çafé № 7!", "cafe-7"), ("", "アプリ", ""), (" Own.Id ", "My Shop", "Own.Id"),
            ("", String(repeating: "a", count: 80), String(repeating: "a", count: 64)),
        ])
    func ids(_ typed: String, _ name: String, _ id: String) {
        #expect(ConsoleDoor.newID(typed, name) == id)
    }
}
