import Testing

@testable import Cryptography

@Suite("Hashes of a Firebase project")
struct FirebaseTests {
    private let project = ForeignVectors.firebaseProject

    @Test("an exported hash becomes a text that no longer needs the signer key")
    func stored() throws {
        let text = try #require(project).storedText(
            passwordHash: ForeignVectors.firebaseHash, salt: ForeignVectors.firebaseSalt)
        #expect(text == ForeignVectors.firebase[0].text)
    }

    // cryptography's AES-CTR of the signer key under hashlib.scrypt("pässwörd".encode(), …): see ForeignVectors
    @Test("a password beyond ASCII matches, also with base64url input")
    func nonASCII() async throws {
        let hash = "F6lgfOnU_kcEi9x32N6c79LU6iccneFQkXDzzrDmUGcbs8vJC99GAmD_IIkuzM8a9V6tYl1HhLbWTkgc_cOBQg"
        let text = try #require(project).storedText(passwordHash: hash, salt: ForeignVectors.firebaseSalt)
        let hasher = PasswordHasher(threads: 1, queueLimit: 4)
        #expect(try await hasher.verify(Array("pässwörd".utf8), against: text) == .yesNeedsRehash)
        #expect(try await hasher.verify(Array("passwörd".utf8), against: text) == .no)
    }

    @Test(
        "values outside Firebase's export format are refused",
        arguments: [("", "42xEC+ixf3L2lw=="), ("lSrfV15cpx95", "42xEC+ixf3L2lw=="), (ForeignVectors.firebaseHash, "%")])
    func malformed(hash: String, salt: String) throws {
        let project = try #require(project)
        #expect(throws: PasswordHashError.malformedHash) { try project.storedText(passwordHash: hash, salt: salt) }
    }

    @Test(
        "a project with parameters beyond the bounds is refused", arguments: [(8, 19), (8, 0), (0, 14), (1 << 22, 14)])
    func costs(rounds: Int, memoryCost: Int) throws {
        let project = try #require(
            FirebaseParameters(
                signerKey: ForeignVectors.firebaseHash, saltSeparator: "", rounds: rounds, memoryCost: memoryCost))
        #expect(throws: PasswordHashError.costRefused) {
            try project.storedText(
                passwordHash: ForeignVectors.firebaseHash, salt: ForeignVectors.firebaseSalt)
        }
    }

    @Test("the signer key is base64 and never printed")
    func signerKey() throws {
        #expect(FirebaseParameters(signerKey: "no base64!", saltSeparator: "Bw==", rounds: 8, memoryCost: 14) == nil)
        #expect(FirebaseParameters(signerKey: "", saltSeparator: "Bw==", rounds: 8, memoryCost: 14) == nil)
        #expect(!String(reflecting: try #require(project)).contains("jxspr8"))
    }
}
