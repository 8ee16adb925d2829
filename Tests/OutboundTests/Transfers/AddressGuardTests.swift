import Testing

@testable import Outbound

struct AddressGuardTests {
    @Test(
        "addresses at the edges of every range have the right scope",
        arguments: [
            ("0.255.255.255", AddressScope.special), ("1.0.0.0", .global), ("9.255.255.255", .global),
            ("10.0.0.0", .private),
            ("10.255.255.255", .private), ("11.0.0.0", .global), ("100.63.255.255", .global), ("100.64.0.0", .special),
            ("100.127.255.255", .special), ("100.128.0.0", .global), ("126.255.255.255", .global),
            ("127.0.0.0", .loopback),
            ("128.0.0.0", .global), ("169.253.255.255", .global), ("169.254.0.0", .special),
            ("169.254.169.254", .metadata),
            ("169.255.0.0", .global), ("172.15.255.255", .global), ("172.16.0.0", .private), ("172.32.0.0", .global),
            ("192.0.1.0", .global), ("192.167.255.255", .global), ("192.168.255.255", .private),
            ("192.169.0.0", .global),
            ("198.17.255.255", .global), ("198.19.255.255", .special), ("198.20.0.0", .global),
            ("223.255.255.255", .global),
            ("239.255.255.255", .special), ("255.255.255.255", .special),
        ])
    func ipv4(text: String, scope: AddressScope) throws {
        let bytes = text.split(separator: ".").compactMap { UInt8($0) }
        #expect(try #require(PeerAddress(bytes: bytes)).scope == scope)
        // The IPv4-mapped IPv6 address has the same scope.
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes
        #expect(try #require(PeerAddress(bytes: mapped)).scope == scope)
    }

    @Test(
        "IPv6 prefixes",
        arguments: [
            ([0x20, 0x01, 0x48, 0x60], AddressScope.global), ([0x26, 0x06, 0x47, 0x00], .global),
            ([0x3F, 0xFE, 0, 0], .global), ([0x3F, 0xFF, 0, 0], .special), ([0x3F, 0xFF, 0x10, 0], .global),
            ([0x20, 0x01, 0, 0], .special), ([0x20, 0x01, 0x01, 0xFF], .special), ([0x20, 0x01, 0x02, 0], .global),
            ([0x20, 0x01, 0x0D, 0xB8], .special), ([0x20, 0x02, 0x08, 0x08], .special), ([0x20, 0x03, 0, 0], .global),
            ([0xFC, 0, 0, 0], .private), ([0xFD, 0xFF, 0, 0], .private), ([0xFE, 0x80, 0, 0], .special),
            ([0xFE, 0xC0, 0, 0], .special), ([0xFF, 0x02, 0, 0], .special), ([0x01, 0, 0, 0], .special),
            ([0x40, 0, 0, 0], .special), ([0, 0x64, 0xFF, 0x9C], .special),
        ] as [([UInt8], AddressScope)])
    func ipv6(prefix: [UInt8], scope: AddressScope) throws {
        let bytes = prefix + [UInt8](repeating: 0, count: 11) + [1]
        #expect(try #require(PeerAddress(bytes: bytes)).scope == scope)
    }

    @Test("an address has 4 or 16 bytes", arguments: [0, 3, 5, 15, 17])
    func otherLengths(count: Int) {
        #expect(PeerAddress(bytes: [UInt8](repeating: 8, count: count)) == nil)
    }

    @Test(
        "the guard refuses the socket, for every spelling and resolution of the host",
        arguments: ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "localhost"])
    func socket(host: String) async throws {
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            let plan = UncheckedPlan(
                url: "http://\(host):\(server.port)/", addressGuard: AddressGuard(allowsLocal: false))
            let loop = TransferLoop(name: "test", maximumInFlight: 1)
            let outcome = await loop.run(plan)
            await loop.shutdown()
            #expect(outcome.isAddressRefused)
            #expect(outcome.requestBytes == 0)
            #expect(server.connectionCount == 0)
        }
    }

    @Test("the same socket opens when the guard allows it")
    func allowedSocket() async throws {
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            let plan = UncheckedPlan(
                url: "http://2130706433:\(server.port)/",
                addressGuard: AddressGuard(allowsLocal: true, requiresLocal: true))
            let loop = TransferLoop(name: "test", maximumInFlight: 1)
            let outcome = await loop.run(plan)
            await loop.shutdown()
            #expect(outcome.status == 200)
        }
    }
}
