import JSON
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test(
        "a value is written without white space and unneeded escapes",
        arguments: [
            (nil, "null"), (true, "true"), (-5, "-5"), (1.5, "1.5"), (.double(1), "1.0"), (.double(.infinity), "null"),
            ("a/b<>&é\u{2028}", "\"a/b<>&é\u{2028}\""),
            ("\"\\\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}", #""\"\\\b\f\n\r\t\u0000\u001f"# + "\u{7f}\""),
            ([], "[]"), ([:], "{}"), (["b": [1, nil], "a": ["x": "y"]], #"{"b":[1,null],"a":{"x":"y"}}"#),
        ] as [(JSON, String)])
    func writes(value: JSON, expected: String) {
        #expect(value.text == expected)
        #expect(value.bytes() == Array(expected.utf8))
    }

    @Test(
        "a written document is read back",
        arguments: [
            .double(0.1), .double(1e300), .double(.leastNonzeroMagnitude), .double(-1.7976931348623157e308),
            .integer(.min),
            ["\u{1}\"": ["e\u{301}", "\u{1F600}"]],
        ] as [JSON])
    func roundTrip(value: JSON) throws {
        #expect(try JSON(parsing: value.bytes()) == value)
    }

    @Test("each accessor answers for its own kind only")
    func accessors() {
        #expect(JSON.integer(1).double == 1)
        #expect(JSON.double(1).integer == nil)
        #expect(JSON.string("1").integer == nil)
        #expect(JSON.bool(true).integer == nil)
        #expect(JSON.integer(1).bool == nil)
        #expect(JSON.null.isNull && !JSON.bool(false).isNull)
        #expect(JSON.array([1])["a"] == nil)
        #expect((["a": nil] as JSON)["a"] == .null)
        #expect((["a": nil] as JSON)["b"] == nil)
    }

    @Test("texts and names are compared as bytes, members without regard to order")
    func equality() {
        #expect(JSON.string("\u{e9}") != JSON.string("e\u{301}"))
        #expect((["a": 1, "b": 2] as JSON) == (["b": 2, "a": 1] as JSON))
        #expect((["a": 1, "b": 2] as JSON) != (["a": 1, "c": 2] as JSON))
        #expect((["a": 1] as JSON) != (["a": 1, "b": 2] as JSON))
        #expect(JSON.integer(1) != JSON.double(1))
    }

    @Test("setting a member replaces it in its place, setting nil removes it")
    func setting() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = 3
        object["c"] = 4
        object["b"] = nil
        object["nothing"] = nil
        #expect(object.members.map(\.name) == ["a", "c"])
        #expect(object["a"] == 3)
        #expect(JSONObject([.init(name: "x", value: 1), .init(name: "x", value: 2)]) == ["x": 2])
    }
}
