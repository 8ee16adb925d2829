import Cryptography
import FoundationEssentials
import Testing

@testable import Messages
@testable import Outbound

@Suite("Signatures of reports")
struct ReportSignatureTests {
    private static let secret = Secret("0123456789abcdef0123456789abcdef")
    private static let body = Array(#"{"state":"bounced"}"#.utf8)
    private static let time = 1_800_000_000

    private static func code(_ time: String = "1800000000", _ body: [UInt8] = body, key: Secret = secret) -> String {
        Hex.encode(HMACSHA256.code(Array("\(time).".utf8) + body, key: key.revealed))
    }

    private static func fault(_ header: String, at seconds: Int = time) -> WebhookSignature.Fault? {
        let now = Date(timeIntervalSince1970: Double(seconds))
        do throws(WebhookSignature.Fault) {
            try WebhookSignature.check(header, of: body, secret: secret, at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test("our own signature is valid for five minutes to either side", arguments: [-300, -1, 0, 1, 300])
    func holds(seconds: Int) {
        let now = Date(timeIntervalSince1970: Double(Self.time))
        let header = WebhookSignature.header(of: Self.body, secret: Self.secret, at: now)
        #expect(header.name == "Gateway-Signature")
        #expect(header.value == "t=1800000000,v1=\(Self.code())")
        #expect(Self.fault(header.value, at: Self.time + seconds) == nil)
    }

    @Test("a signature is expired after five minutes", arguments: [-86_400, -301, 301, 86_400])
    func outOfTime(seconds: Int) {
        #expect(Self.fault("t=1800000000,v1=\(Self.code())", at: Self.time + seconds) == .outOfTime)
    }

    static let wrong: [String] = [
        "", "t=1800000000", "v1=\(code())", code(), "t=1800000000,v1=", "v1=\(code()),t=1800000000",
        "t=1800000000;v1=\(code())", "t=1800000000, v1=\(code())", "t=1800000000,v1=\(code()),v1=\(code())",
        "t=1800000000,v1=\(code()),", "t=1800000000,v1=\(code().uppercased())", "t=1800000000,v1=\(code().dropLast())",
        "t=1800000000,v1=\(code())0", "t=1800000001,v1=\(code())", "t=,v1=\(code(""))", "t=x,v1=\(code("x"))",
        "t=+1800000000,v1=\(code("+1800000000"))", "t=01800000000,v1=\(code("01800000000"))",
        "t=-1,v1=\(code("-1"))0", "t=1800000000000,v1=\(code("1800000000000"))",
        "t=99999999999999999999,v1=\(code("99999999999999999999"))",
        "t=1800000000,v1=\(code("1800000000", body + [0x20]))", "t=1800000000,v1=\(code("1800000000", []))",
        "t=1800000000,v1=\(code(key: Secret("another-secret-of-the-same-length")))",
        "t=1800000000,v0=\(code())",
    ]

    @Test("any other signature is refused", arguments: wrong)
    func refused(header: String) {
        #expect(Self.fault(header) == .invalid)
    }
}

/// The examples come from Twilio's page on webhook security and from its libraries.
@Suite("Twilio's signature")
struct TwilioSignatureTests {
    private static let url = "https://mycompany.com/myapp.php?foo=1&bar=2"
    private static let token = Secret("12345")

    private static func form(_ number: String) -> [(name: String, value: String)] {
        [
            ("Digits", "1234"), ("To", "+18005551212"), ("From", number), ("Caller", number),
            ("CallSid", "CA1234567890ABCDE"),
        ]
    }

    private static func holds(
        _ signature: String, _ fields: [(name: String, value: String)] = form("+14158675309"), url: String = url,
        token: Secret = token
    ) -> Bool { TwilioSignature.holds(signature, url: url, fields: fields, token: token) }

    @Test(
        "the documented examples are valid for every order of the fields",
        arguments: [
            ("+14158675309", "RSOYDt4T1cUTdK1PDd93/VVr8B8="), ("+12349013030", "0/KCTR6DLpKmkAf8muzZqo1nDgQ="),
        ])
    func documented(number: String, signature: String) {
        #expect(Self.holds(signature, Self.form(number)))
        #expect(Self.holds(signature, Self.form(number).reversed()))
    }

    @Test("any difference makes the signature invalid")
    func refused() {
        let right = "RSOYDt4T1cUTdK1PDd93/VVr8B8="
        #expect(Self.holds(right))
        for wrong in ["", "RSOYDt4T1cUTdK1PDd93/VVr8B8", "rSOYDt4T1cUTdK1PDd93/VVr8B8=", right + "=", " " + right] {
            #expect(!Self.holds(wrong), "\(wrong)")
        }
        let fields = Self.form("+14158675309")
        #expect(!Self.holds(right, url: "https://mycompany.com/myapp.php?foo=1"))
        #expect(!Self.holds(right, url: "http://mycompany.com/myapp.php?foo=1&bar=2"))
        #expect(!Self.holds(right, token: Secret("12346")))
        #expect(!Self.holds(right, Self.form("+14158675300")))
        #expect(!Self.holds(right, Array(fields.dropLast())))
        #expect(!Self.holds(right, fields + [("MessageStatus", "failed")]))
    }

    @Test("empty values and the case of names count, and the port is optional")
    func details() {
        func code(_ text: String) -> String {
            Base64Text.encode(HMACSHA1.code(Array(text.utf8), key: Array("12345".utf8)))
        }
        let fields: [(name: String, value: String)] = [("a", "2"), ("ErrorCode", ""), ("B", "1")]
        let form = "B1ErrorCodea2"
        #expect(Self.holds(code("https://ducks.org/x" + form), fields, url: "https://ducks.org/x"))
        #expect(Self.holds(code("https://ducks.org:443/x" + form), fields, url: "https://ducks.org/x"))
        #expect(Self.holds(code("https://ducks.org/x" + form), fields, url: "https://ducks.org:8443/x"))
        #expect(!Self.holds(code("https://ducks.org:8443/x" + form), fields, url: "https://ducks.org/x"))
        #expect(!Self.holds(code("https://ducks.org/xB1a2"), fields, url: "https://ducks.org/x"))
    }
}
