import JSON
import Testing

@Suite("Typed members of an object")
struct MemberTests {
    private static let object: JSONObject = [
        "text": "é", "empty": "", "null": nil, "number": 1, "flag": false, "list": ["a", 1], "inner": ["a": "b"],
        "mixed": ["ok": "b", "a/b~c": nil],
    ]

    private static func error<Value>(_ read: (JSONObject) throws -> Value) -> MemberError? {
        #expect(throws: MemberError.self) { try read(object) }
    }

    @Test("a member of its type is read, and an absent or null one is nil")
    func optional() throws {
        let object = Self.object
        #expect(try object.optionalText("text") == "é")
        #expect(try object.optionalText("empty") == "")
        #expect(try object.optionalBool("flag") == false)
        #expect(try object.optionalArray("list") == ["a", 1])
        #expect(try object.optionalObject("inner") == ["a": "b"])
        #expect(try object.optionalTexts("inner") == ["a": "b"])
        for name in ["null", "absent"] {
            #expect(try object.optionalText(name) == nil)
            #expect(try object.optionalBool(name) == nil)
            #expect(try object.optionalArray(name) == nil)
            #expect(try object.optionalObject(name) == nil)
            #expect(try object.optionalTexts(name) == nil)
        }
    }

    @Test("a required member is neither absent, null nor an empty text")
    func required() throws {
        #expect(try Self.object.requiredText("text") == "é")
        #expect(try Self.object.requiredObject("inner") == ["a": "b"])
        for name in ["empty", "null", "absent"] {
            #expect(Self.error { try $0.requiredText(name) }?.reason == .missing)
        }
        for name in ["null", "absent"] {
            #expect(Self.error { try $0.requiredObject(name) }?.reason == .missing)
        }
    }

    @Test("a member of another type is an error, which names the expected type")
    func otherType() {
        for name in Self.object.members.map(\.name) where name != "null" {
            if !["text", "empty"].contains(name) {
                #expect(Self.error { try $0.optionalText(name) }?.reason == .notA(.text))
                #expect(Self.error { try $0.requiredText(name) }?.reason == .notA(.text))
            }
            if name != "flag" { #expect(Self.error { try $0.optionalBool(name) }?.reason == .notA(.bool)) }
            if name != "list" { #expect(Self.error { try $0.optionalArray(name) }?.reason == .notA(.array)) }
            if !["inner", "mixed"].contains(name) {
                #expect(Self.error { try $0.optionalObject(name) }?.reason == .notA(.object))
                #expect(Self.error { try $0.requiredObject(name) }?.reason == .notA(.object))
                #expect(Self.error { try $0.optionalTexts(name) }?.reason == .notA(.object))
            }
        }
    }

    @Test("a text is limited in bytes")
    func length() throws {
        #expect(try Self.object.optionalText("text", most: 2) == "é")
        #expect(Self.error { try $0.optionalText("text", most: 1) }?.reason == .tooLong)
        #expect(Self.error { try $0.requiredText("text", most: 1) }?.reason == .tooLong)
    }

    @Test("an error has the path of the member, also as a JSON Pointer")
    func pointer() {
        let plain = Self.error { try $0.optionalBool("text") }
        #expect(plain?.path == ["text"] && plain?.pointer == "/text")
        let inner = Self.error { try $0.optionalTexts("mixed") }
        #expect(inner?.path == ["mixed", "a/b~c"] && inner?.pointer == "/mixed/a~1b~0c")
        #expect(inner?.reason == .notA(.text))
    }
}
