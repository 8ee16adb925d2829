import Settings
import Testing

@Suite("Network addresses")
struct NetworkAddressTests {
    @Test("an IPv4 address is the same address in its mapped form")
    func mapped() throws {
        let plain = try #require(NetworkAddress("192.0.2.7"))
        #expect(NetworkAddress("::ffff:192.0.2.7") == plain)
        #expect(NetworkAddress("::ffff:c000:207") == plain)
        #expect(NetworkAddress("192.0.2.8") != plain)
    }

    @Test(
        "N6: an address has one spelling",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("::FFFF:c000:207", "192.0.2.7"),
            ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("2001:db8:0:1:0:0:0:1", "2001:db8:0:1::1"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("1:2:3:4:5:6:0:8", "1:2:3:4:5:6:0:8"), ("::", "::"),
            ("0:0:0:0:0:0:0:1", "::1"), ("1:0::", "1::"), ("fe80::1%eth0", "fe80::1"), ("local", "local"),
        ])
    func spelling(text: String, canonical: String) {
        #expect(NetworkAddress.canonical(text) == canonical)
    }

    @Test(
        "a malformed address is refused",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.-4", ":", ":::", "1::2::3", "12345::",
            "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8:9", "g::", "localhost", "+1::", "1.2.3.4:80",
        ])
    func malformed(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test(
        "whole addresses without a gap are read",
        arguments: ["1:2:3:4:5:6:7:8", "::", "::1", "1::", "1:2:3:4:5:6:1.2.3.4"])
    func wellFormed(text: String) {
        #expect(NetworkAddress(text) != nil)
    }

    @Test(
        "private networks are known",
        arguments: [
            "127.0.0.1", "10.255.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.169.254", "100.64.0.1",
            "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fc00::1", "fdff::1", "fe80::1", "ff02::1",
            "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "2002:0a00:0001::1",
        ])
    func privateNetworks(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPrivate)
    }

    @Test(
        "public addresses are not private",
        arguments: [
            "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2001:4860:4860::8888", "64:ff9b::8.8.8.8",
        ])
    func publicNetworks(text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPrivate)
    }
}
