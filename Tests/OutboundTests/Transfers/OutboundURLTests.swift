import Outbound
import Testing

struct OutboundURLTests {
    @Test(
        "ordinary URLs of providers are accepted",
        arguments: [
            ("https://appleid.apple.com/auth/keys", "appleid.apple.com", 443),
            ("https://API.amazon.com/auth/o2/tokeninfo?access_token=Atza%7Cx", "api.amazon.com", 443),
            ("https://login.microsoftonline.com:8443/common", "login.microsoftonline.com", 8443),
            ("https://8.8.8.8/", "8.8.8.8", 443),
            ("https://[2606:4700::1111]:444", "[2606:4700::1111]", 444),
            ("https://host?query", "host", 443),
            ("https://3com.com/", "3com.com", 443),
        ])
    func accepted(url: String, host: String, port: Int) throws {
        let parsed = try OutboundURL(url, allowsLocal: false)
        #expect(parsed.host == host)
        #expect(parsed.port == port)
        #expect(parsed.isEncrypted)
        #expect(parsed.text == url)
    }

    @Test(
        "A-09: an address of this machine or network is refused, in every spelling",
        arguments: [
            "169.254.169.254", "2852039166", "0xA9FEA9FE", "0xa9.0xfe.0xa9.0xfe", "0251.0376.0251.0376",
            "169.254.43518",
            "169.16689662", "169.254.169.254.", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]",
            "[64:ff9b::a9fe:a9fe]",
            "127.0.0.1", "2130706433", "0x7f000001", "0x7F.1", "0177.0.0.1", "127.1", "127.255.255.254",
            "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[::]", "0.0.0.0", "0", "0x0",
            "localhost", "LOCALHOST", "localhost.", "a.localhost", "apple.LocalHost", "a.localhost.", "a.b.localhost",
            "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255",
            "[fd00:ec2::254]", "[fc00::1]", "[fe80::1]", "[fec0::1]", "[ff02::1]", "[2002:7f00:1::]", "[2001::1]",
            "[2001:db8::1]", "168.63.129.16", "100.100.100.200", "192.0.0.192", "224.0.0.1", "255.255.255.255",
            "240.0.0.1",
            "198.18.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.1",
        ])
    func refusedAddress(host: String) {
        #expect(throws: TransferError.addressRefused) { try OutboundURL("https://\(host)/keys", allowsLocal: false) }
    }

    @Test(
        "A-09: with the flag, local addresses pass, but not the metadata service",
        arguments: [
            ("127.0.0.1", true), ("[::1]", true), ("localhost", true), ("10.1.2.3", true), ("192.168.0.1", true),
            ("apple.localhost", true),
            ("[fd12::1]", true), ("0x7f.1", true), ("169.254.169.254", false), ("2852039166", false),
            ("[::ffff:a9fe:a9fe]", false), ("[fd00:ec2::254]", false), ("[fe80::1]", false), ("100.64.0.1", false),
            ("0.0.0.0", false), ("224.0.0.1", false), ("8.8.8.8", false),
        ])
    func flag(host: String, isAllowed: Bool) {
        if isAllowed {
            #expect(throws: Never.self) { try OutboundURL("http://\(host)/", allowsLocal: true) }
        } else {
            #expect(throws: TransferError.addressRefused) { try OutboundURL("http://\(host)/", allowsLocal: true) }
        }
    }

    @Test(
        "A-09: anything but a plain https URL is refused",
        arguments: [
            "file:///etc/passwd", "gopher://example.com/_x", "ftp://example.com/", "smtp://example.com/",
            "http://example.com/", "HTTPS://example.com/", "https:/example.com", "https:example.com", "//example.com",
            "",
            "javascript:alert(1)", "https://", "https:///path", "https://?q",
            "https://user@example.com/", "https://user:pass@example.com/", "https://example.com@evil.example/",
            "https://@example.com/", "https://example.com\\@evil.example/", "https://example.com#@evil.example/",
            "https://example.com/a b", "https://example.com/\r\nX: y", "https://example.com/\u{0}",
            "https://exämple.com/",
            "https://①②⑦.0.0.1/", "https://example.com/ü", "https://example.com:0/", "https://example.com:65536/",
            "https://example.com:/", "https://example.com:+80/", "https://example.com:80a/", "https://[::1",
            "https://[::1]x/",
            "https://[fe80::1%25eth0]/", "https://[::g]/", "https://[1:2:3]/", "https://%31%32%37.0.0.1/",
            "https://1.2.3.4.5/",
            "https://256.256.256.256/", "https://1.2.3.08/", "https://4294967296/", "https://-a.example/",
            "https://a..b/",
            "https://.a/", "https://" + String(repeating: "a", count: 64) + ".example/",
            "https://example.com/" + String(repeating: "a", count: 17_000),
        ])
    func refusedSyntax(url: String) {
        let error = #expect(throws: TransferError.self) { try OutboundURL(url, allowsLocal: false) }
        if case .invalidRequest = error {} else { Issue.record("\(String(describing: error))") }
    }

    @Test("with the flag, plain http works for local addresses only")
    func plainHTTP() throws {
        #expect(try !OutboundURL("http://127.0.0.1:8081/apple", allowsLocal: true).isEncrypted)
        #expect(throws: TransferError.addressRefused) { try OutboundURL("http://93.184.216.34/", allowsLocal: true) }
    }
}
