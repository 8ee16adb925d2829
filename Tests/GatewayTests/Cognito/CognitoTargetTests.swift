import Foundation
import Sessions
import SignIn
import Testing

@testable import Cognito

/// The rules of `TARGET_ACR_VALUES` and `MAX_AGE`.
@Suite("Cognito's API: target levels")
struct CognitoTargetTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let hourAgo = now.addingTimeInterval(-3_600)
    private static let password = Proofs([Proof(.password)])
    private static let mailbox = Proofs([Proof(.emailCode, address: "a@example.com")])

    private static func target(_ values: String?, _ more: [String: String] = [:]) throws -> CognitoTarget? {
        var parameters = more
        parameters["TARGET_ACR_VALUES"] = values
        return try CognitoTarget(CognitoTexts(of: parameters))
    }

    private static func levels(_ numbers: Int...) throws -> CognitoTarget {
        try #require(try target(numbers.map { "urn:cognito:loa:\($0)" }.joined(separator: " ")))
    }

    @Test("known levels keep their order, and others are ignored")
    func values() throws {
        let target = try #require(try Self.target("urn:other urn:cognito:loa:4 urn:cognito:loa:2", ["MAX_AGE": "300"]))
        #expect(target.levels == [.authenticatorApp, .code] && target.maximumAge == 300)
        #expect(try Self.target(nil) == nil)
        #expect(try Self.target(nil, ["MAX_AGE": "300"]) == nil)
    }

    @Test(
        "faulty parameters are refused",
        arguments: [
            ["TARGET_ACR_VALUES": "urn:other"], ["TARGET_ACR_VALUES": " "], ["ACCESS_TOKEN": "token"],
            ["TARGET_ACR_VALUES": "urn:cognito:loa:4", "MAX_AGE": "soon"],
            ["TARGET_ACR_VALUES": "urn:cognito:loa:4", "MAX_AGE": "-1"], ["MAX_AGE": "1.5"],
        ])
    func faults(parameters: [String: String]) {
        #expect(throws: CognitoError.self) { try CognitoTarget(CognitoTexts(of: parameters)) }
    }

    @Test("the best level decides about the second factor")
    func wish() throws {
        #expect(try Self.levels(4, 1).wish == .totp)
        #expect(try Self.levels(3, 4).wish == .any)
        #expect(try Self.levels(2, 4).wish == nil)
        #expect(try Self.levels(1).wish == nil)
    }

    @Test("the offer has the challenges that lead to the best level, or to the next one")
    func narrowed() throws {
        let all: [CognitoChallenge.Name] = [.password, .passwordSRP, .emailOTP, .webAuthn]
        #expect(try Self.levels(4, 2).narrowed(all) == [.password, .passwordSRP])
        #expect(try Self.levels(3).narrowed(all) == all)
        #expect(try Self.levels(2).narrowed(all) == [.emailOTP, .webAuthn])
        #expect(try Self.levels(1).narrowed(all) == all)
        #expect(try Self.levels(4, 2).narrowed([.emailOTP]) == [.emailOTP])
        #expect(try Self.levels(4).narrowed([.emailOTP]) == [.emailOTP])
        #expect(try Self.levels(4).narrowed([]) == [])
    }

    @Test("a young session that began with a password gets the missing factor")
    func raised() throws {
        func course(_ target: CognitoTarget, _ proofs: Proofs) throws -> CognitoTarget.Course {
            try target.course(from: proofs, provedAt: Self.hourAgo, at: Self.now)
        }
        #expect(try course(Self.levels(4), Self.password) == .raise)
        #expect(try course(Self.levels(3), Self.password) == .raise)
        #expect(try course(Self.levels(4), Self.password.adding(Self.mailbox.list[0])) == .raise)
        // A code is no part of a password, and no second factor adds it.
        #expect(try course(Self.levels(2), Self.password) == .fresh)
        #expect(try course(Self.levels(4), Self.mailbox) == .fresh)
        #expect(try course(Self.levels(4), Proofs([Proof(.verifiedPasskey)])) == .fresh)
        #expect(try course(Self.levels(1), Proofs([Proof(.provider)])) == .fresh)
    }

    @Test("a session that has the level is refused, and an old one begins from scratch")
    func age() throws {
        let proved = Self.password.adding(Proof(.totp))
        for numbers in [4, 3, 1] {
            #expect(throws: CognitoError.self) {
                try Self.levels(numbers).course(from: proved, provedAt: Self.hourAgo, at: Self.now)
            }
        }
        func course(_ age: String) throws -> CognitoTarget.Course? {
            try Self.target("urn:cognito:loa:4", ["MAX_AGE": age])?
                .course(from: Self.password, provedAt: Self.hourAgo, at: Self.now)
        }
        #expect(try course("3600") == .raise)
        #expect(try course("3599") == .fresh)
        let old = try #require(try Self.target("urn:cognito:loa:4", ["MAX_AGE": "60"]))
        #expect(try old.course(from: proved, provedAt: Self.hourAgo, at: Self.now) == .fresh)
    }
}
