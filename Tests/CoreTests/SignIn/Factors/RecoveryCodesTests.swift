import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Cryptography
@testable import SignIn

@Suite("Recovery codes")
struct RecoveryCodesTests {
    @Test("a recovery code spells 120 random bits, in six groups of four letters")
    func bits() throws {
        let drawn = Mutex<[[UInt8]]>([])
        let random = RandomBytes { count in
            let bytes = RandomBytes.system(count)
            drawn.withLock { $0.append(bytes) }
            return bytes
        }
        let codes = RecoveryCodes(keys: try TestKeys.keys("a"), random: random).make()
        #expect(codes.count == 10)
        #expect(codes.allSatisfy { $0.split(separator: "-").map(\.count) == [4, 4, 4, 4, 4, 4] })
        let spelled = try codes.map { try Base32Text.bytes(of: $0.replacing("-", with: "")) }
        #expect(spelled == drawn.withLock { $0 } && spelled.allSatisfy { $0.count * 8 == 120 })
    }

    @Test("a code counts in every spelling, and a part of it is no code")
    func spellings() throws {
        let codes = RecoveryCodes(keys: try TestKeys.keys("a"))
        let (code, account) = (codes.make()[0], UUID())
        let digest = codes.digest(code, account: account)
        for typed in [code.uppercased(), code.replacing("-", with: ""), code.replacing("-", with: " ") + " "] {
            #expect(codes.digest(typed, account: account) == digest, "\(typed)")
        }
        #expect(CodeShape.recovery.code(in: String(code.dropLast())) == nil)
        #expect(CodeShape.recovery.code(in: code + "a") == nil)
    }
}
