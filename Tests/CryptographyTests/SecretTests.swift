import Testing

@testable import Cryptography

@Suite("Secrets")
struct SecretTests {
    @Test("a secret is printed nowhere and read only on demand")
    func hidden() {
        struct Holder { let password = Secret("hunter2") }
        var dumped = ""
        dump(Holder(), to: &dumped)
        for text in ["\(Secret("hunter2"))", String(reflecting: Secret("hunter2")), "\(Holder())", dumped] {
            #expect(!text.contains("hunter2"))
            #expect(text.contains("•••"))
        }
        #expect(Mirror(reflecting: Secret("hunter2")).children.isEmpty)
        #expect(Secret("hunter2").revealedText == "hunter2")
        #expect(Secret("hunter2").revealed == Array("hunter2".utf8))
    }

    @Test("secrets with equal bytes are equal")
    func equality() {
        #expect(Secret("a") == Secret([0x61]))
        #expect(Secret("a") != Secret("b"))
        #expect(Secret("a") != Secret("aa"))
        #expect(Secret("").isEmpty && !Secret("a").isEmpty)
        #expect(Secret("") == Secret([]))
    }

    @Test("constant-time comparison finds a difference in every place")
    func constantTime() {
        let bytes: [UInt8] = Array(0..<32)
        #expect(ConstantTime.equal(bytes, bytes))
        #expect(ConstantTime.equal([], []))
        #expect(!ConstantTime.equal(bytes, Array(bytes.dropLast())))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x80
            #expect(!ConstantTime.equal(bytes, other))
        }
    }

    @Test("the system's random bytes have the length asked for and do not repeat")
    func random() {
        #expect(RandomBytes.system(0).isEmpty)
        #expect(RandomBytes.system(33).count == 33)
        #expect(RandomBytes.system(16) != RandomBytes.system(16))
    }
}
