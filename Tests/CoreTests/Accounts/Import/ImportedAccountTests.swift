import Cryptography
import Foundation
import Testing
import Vocabulary

@testable import Accounts

@Suite("Lines of an import")
struct ImportedAccountTests {
    private static let bcrypt = "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e"
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let firebase = FirebaseParameters(
        signerKey: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
        saltSeparator: "Bw==", rounds: 8, memoryCost: 14)
    private static let firebaseHash =
        #"{"password_hash":"lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==","salt":"42xEC+ixf3L2lw=="}"#

    private static func read(_ line: String, _ firebase: FirebaseParameters? = nil) throws(ImportRefusal)
        -> ImportedAccount
    {
        try ImportedAccount(line: Array(line.utf8), firebase: firebase, now: now)
    }

    @Test("every member is read")
    func everything() throws {
        let account = try Self.read(
            """
            {"id":"u-7","email":"Ann@Example.com","email_verified":true,"display_name":" Ann\\u202E <Lee> ",
             "password_hash":"\(Self.bcrypt)","created_at":"2021-03-04T05:06:07.250Z","disabled":true,
             "identities":[{"provider":"google","realm":"https://accounts.google.com","subject":"109"},
                           {"provider":"apple","realm":"TEAM123456","subject":"000.a"}]}
            """)
        #expect(account.externalID == "u-7")
        #expect(account.address?.text == "Ann@Example.com" && account.address?.key == "ann@example.com")
        #expect(account.isProved && account.isDisabled)
        #expect(account.displayName == "Ann Lee")
        #expect(account.passwordHash == Self.bcrypt && account.hashKind == .bcrypt)
        #expect(account.createdAt?.timeIntervalSince1970 == 1_614_834_367.25)
        #expect(
            account.identities == [
                .init(provider: "google", realm: "https://accounts.google.com", subject: "109"),
                .init(provider: "apple", realm: "TEAM123456", subject: "000.a"),
            ])
    }

    @Test("absent and null mean false")
    func absent() throws {
        let account = try Self.read(#"{"email":"ann@example.com","id":null,"password_hash":null,"identities":null}"#)
        #expect(!account.isProved && !account.isDisabled)
        #expect(account.passwordHash == nil && account.hashKind == nil && account.displayName == nil)
        #expect(account.identities.isEmpty && account.createdAt == nil)
    }

    @Test("a Firebase hash without a salt has the project's separator alone")
    func unsalted() throws {
        let hash = Self.firebaseHash.replacing(#""42xEC+ixf3L2lw==""#, with: "null")
        let account = try Self.read(#"{"email":"ann@example.com","firebase":\#(hash)}"#, Self.firebase)
        #expect(account.passwordHash?.hasPrefix("$firebase-scrypt$ln=14,r=8,p=1$Bw$") == true)
    }

    @Test("a line without an id is identified by its bytes")
    func ownID() throws {
        let line = #"{"email":"ann@example.com"}"#
        #expect(try Self.read(line).externalID == Self.read(line).externalID)
        #expect(try Self.read(line).externalID != Self.read(line + " ").externalID)
    }

    @Test("a Firebase hash is stored without the signer key")
    func firebase() throws {
        let line = #"{"email":"ann@example.com","firebase":\#(Self.firebaseHash)}"#
        let account = try Self.read(line, Self.firebase)
        #expect(account.hashKind == .firebase)
        #expect(account.passwordHash?.hasPrefix("$firebase-scrypt$ln=14,r=8,p=1$42xEC+ixf3L2lwc$") == true)
        #expect(throws: ImportRefusal.firebaseParametersMissing) { try Self.read(line) }
    }

    /// Members in addition to an address, with the reason of the refusal.
    private static let refused: [(String, ImportRefusal)] = [
        (#""id":7"#, .invalidID), (#""id":"""#, .invalidID),
        (#""id":"\#(String(repeating: "x", count: 256))""#, .invalidID),
        (#""email_verified":"true""#, .invalidEmailVerified), (#""disabled":1"#, .invalidDisabled),
        (#""display_name":7"#, .invalidDisplayName), (#""password_hash":7"#, .invalidPasswordHash),
        (#""password_hash":"""#, .invalidPasswordHash), (#""password_hash":"secret""#, .hashMalformed),
        (#""password_hash":"md5$a$b""#, .hashUnsupported),
        (#""password_hash":"$2b$15$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e""#, .hashTooCostly),
        (#""password_hash":"\#(bcrypt)","firebase":\#(firebaseHash)"#, .twoPasswords),
        (#""firebase":"x""#, .invalidFirebase), (#""firebase":{"password_hash":"x"}"#, .invalidFirebase),
        (#""firebase":{"password_hash":"eA==","salt":"eA=="}"#, .hashMalformed),
        (#""created_at":1614834367"#, .invalidCreatedAt), (#""created_at":"yesterday""#, .invalidCreatedAt),
        (#""created_at":"2921-03-04T05:06:07Z""#, .invalidCreatedAt),
        (#""created_at":"2021-13-04T05:06:07Z""#, .invalidCreatedAt),
        (#""identities":{}"#, .invalidIdentities), (#""identities":[7]"#, .invalidIdentities),
        (#""identities":[{"provider":"google","realm":"r"}]"#, .invalidIdentities),
        (#""identities":[{"provider":"Google","realm":"r","subject":"s"}]"#, .invalidIdentities),
        (#""identities":[{"provider":"google","realm":"","subject":"s"}]"#, .invalidIdentities),
        (#""identities":[{"provider":"google","realm":"r","subject":"s","email":"x"}]"#, .invalidIdentities),
        (
            #""identities":[{"provider":"google","realm":"r","subject":"s"},{"provider":"google","realm":"r","subject":"s"}]"#,
            .invalidIdentities
        ),
        (#""passwordHash":"x""#, .unknownMember), (#""Email":"x""#, .unknownMember),
        (#""id":"a","id":"b""#, .notJSON), (#""id":"a\u0000""#, .notJSON),
    ]

    @Test("an unknown member refuses the line", arguments: refused)
    func members(member: String, refusal: ImportRefusal) {
        #expect(throws: refusal) { try Self.read(#"{"email":"ann@example.com",\#(member)}"#, Self.firebase) }
    }

    @Test(
        "an invalid line is refused",
        arguments: [
            ("[]", .notJSON), ("x", .notJSON), (#"{"email":"ann@example.com"} {}"#, .notJSON), ("{}", .noSignInMethod),
            (#"{"id":"1","password_hash":"\#(bcrypt)"}"#, .noSignInMethod), (#"{"email":""}"#, .invalidEmail),
            (#"{"email":"ann"}"#, .invalidEmail), (#"{"email":7}"#, .invalidEmail),
            (#"{"email":"\u00E4@example.com"}"#, .invalidEmail),
            (
                #"{"email_verified":true,"identities":[{"provider":"google","realm":"r","subject":"s"}]}"#,
                .invalidEmailVerified
            ),
        ] as [(String, ImportRefusal)])
    func lines(line: String, refusal: ImportRefusal) {
        #expect(throws: refusal) { try Self.read(line) }
    }
}
