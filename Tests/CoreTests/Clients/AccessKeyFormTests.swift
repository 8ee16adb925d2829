import Cryptography
import Foundation
import Testing

@testable import Clients

@Suite("The form and the limits of an access key")
struct AccessKeyFormTests {
    private static let now = Date(timeIntervalSince1970: 1_795_780_800)

    private static func key(_ networks: [String] = [], expires: Date? = nil) -> AccessKey {
        AccessKey(
            id: "GWAAAAAAAAAAAAAAAAAA", actor: UUID(), clientID: "app", issued: now,
            digest: AccessKey.digest(of: "right"), networks: networks, expires: expires)
    }

    private static func fault(_ key: AccessKey, from address: String = "192.0.2.1") -> AccessKey.Fault? {
        do throws(AccessKey.Fault) {
            try key.check(from: address, at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test("a bearer token has the prefix, the id and the secret, without a separator")
    func parts() throws {
        let (id, secret) = (AccessKey.newID(), AccessKey.newSecret())
        let parts = try #require(AccessKey.parts(of: AccessKey.text(id, secret)))
        #expect(parts.id == id && parts.secret == secret)
        for text in ["", "ak_", "ak_\(id)", "rt_\(id)\(secret)", "\(id)\(secret)", "ak_\(id)\(secret)A"] {
            #expect(AccessKey.parts(of: text) == nil, "\(text)")
        }
    }

    @Test("only its own secret proves a key, and none proves a key without one")
    func proof() {
        #expect(Self.key().isProved(by: "right"))
        #expect(!Self.key().isProved(by: "wrong"))
        let bare = AccessKey(id: "GWAAAAAAAAAAAAAAAAAA", actor: UUID(), clientID: "app", issued: Self.now)
        #expect(!bare.isProved(by: "right") && !bare.isProved(by: ""))
    }

    @Test("a key ends at its time")
    func expiry() {
        #expect(Self.fault(Self.key(expires: nil)) == nil)
        #expect(Self.fault(Self.key(expires: Self.now.addingTimeInterval(1))) == nil)
        #expect(Self.fault(Self.key(expires: Self.now)) == .expired)
        for (seconds, life) in [(nil, 600), (601, 600), (60, 60), (0, 0), (-1, 0)] as [(Double?, Int)] {
            let key = Self.key(expires: seconds.map(Self.now.addingTimeInterval))
            #expect(key.life(600, at: Self.now) == life, "of its tokens, for \(String(describing: seconds))")
        }
    }

    @Test("a key with networks works from these only; a network that can't be read admits nobody")
    func networks() {
        let key = Self.key(["192.0.2.0/24", "2001:db8::/32"])
        #expect(Self.fault(key) == nil && Self.fault(key, from: "2001:db8::1") == nil)
        #expect(Self.fault(key, from: "198.51.100.1") == .wrongNetwork)
        #expect(Self.fault(key, from: "local") == .wrongNetwork)
        #expect(Self.fault(Self.key(["192.0.2.1/24"])) == .wrongNetwork)
    }
}
