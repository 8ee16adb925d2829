import Settings
import Testing

@Suite("Addresses of endpoints")
struct EndpointURLTests {
    @Test(
        "an origin is what a browser writes",
        arguments: [
            ("https://Auth.Example.com/", "https://auth.example.com"),
            ("http://127.0.0.1:8080/a/", "http://127.0.0.1:8080"),
            ("https://[2001:DB8::1]:443", "https://[2001:db8::1]"), ("http://[::1]:80/", "http://[::1]"),
            ("https://under_score.xn--bcher-kva.example:8443", "https://under_score.xn--bcher-kva.example:8443"),
        ])
    func origin(text: String, origin: String) throws {
        let url = try #require(EndpointURL(text))
        #expect(url.origin == origin)
        #expect(EndpointURL(url.text)?.origin == origin)
    }

    @Test(
        "a host has the characters of names and addresses alone, none of them encoded",
        arguments: [
            "http://063.%0000.0.1:49152/cb", "https://%61uth.example.com", "https://a%2Fb.example.com",
            "https://a;b.example.com", "https://a,b.example.com", "https://a'b.example.com", "https://*.example.com",
            "https://[fe80::1%25eth0]", "https://[v1.x]", "https://", "https:///path", "https://:443",
        ])
    func refused(text: String) {
        #expect(EndpointURL(text) == nil)
    }
}
