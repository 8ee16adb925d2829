import Foundation
import Testing

@testable import GatewayClient

@Suite("The migration guides")
struct GuideTests {
    @Test("A guide's code is the code that is compiled here", arguments: Guide.all)
    func code(guide: Guide) throws {
        let blocks = try guide.blocks()
        #expect(blocks.count > 4)
        #expect(try guide.compiled() == blocks)
    }

    @Test("A guide has at most 1,200 words", arguments: Guide.all)
    func length(guide: Guide) throws {
        #expect(try guide.text().split { $0.isWhitespace }.count <= 1200)
    }

    @Test("A guide names only calls that exist", arguments: Guide.all)
    func calls(guide: Guide) throws {
        let sources = try Repository.library()
        let calls = try guide.text().matches(of: /\b(?:client|session|step|enrolment)\.([a-zA-Z]+)/)
        #expect(calls.count > 15)
        for call in calls {
            let isThere = ["func \(call.output.1)(", "var \(call.output.1):", "let \(call.output.1):"].contains {
                sources.contains("public \($0)") || sources.contains("public nonisolated \($0)")
            }
            #expect(isThere, "\(call.output.0)")
        }
    }

    @Test("A guide's errors lead only to codes that exist", arguments: Guide.all)
    func codes(guide: Guide) throws {
        let known = Set(ErrorCode.known.map(\.rawValue))
        let rows = try guide.rows(under: "Errors")
        let codes = rows.flatMap { $0.last.matches(of: /`([a-z_]+)`/).map { String($0.output.1) } }
        #expect(codes.count > 15)
        for code in codes { #expect(known.contains(code), "\(code)") }
    }

    @Test("The guide for Amplify has each error of AWSMobileClient once")
    func errors() throws {
        let rows = try Guide.all[0].rows(under: "Errors")
        let names = rows.flatMap { $0.first.matches(of: /`([a-zA-Z]+)`/).map { String($0.output.1) } }
        #expect(Self.mobileClientErrors.count == 43)
        #expect(names.sorted() == Self.mobileClientErrors.sorted())
    }

    /// The cases of `AWSMobileClientError` in aws-sdk-ios 2.x, with its spelling.
    private static let mobileClientErrors = [
        "aliasExists", "codeDeliveryFailure", "codeMismatch", "expiredCode", "groupExists", "internalError",
        "invalidLambdaResponse", "invalidOAuthFlow", "invalidParameter", "invalidPassword",
        "invalidUserPoolConfiguration", "limitExceeded", "mfaMethodNotFound", "notAuthorized",
        "passwordResetRequired", "resourceNotFound", "scopeDoesNotExist", "softwareTokenMFANotFound",
        "tooManyFailedAttempts", "tooManyRequests", "unexpectedLambda", "userLambdaValidation", "userNotConfirmed",
        "userNotFound", "usernameExists", "unknown", "notSignedIn", "identityIdUnavailable", "guestAccessNotAllowed",
        "federationProviderExists", "cognitoIdentityPoolNotConfigured", "unableToSignIn", "invalidState",
        "userPoolNotConfigured", "userCancelledSignIn", "badRequest", "expiredRefreshToken", "errorLoadingPage",
        "securityFailed", "idTokenNotIssued", "idTokenAndAcceessTokenNotIssued", "invalidConfiguration",
        "deviceNotRemembered",
    ]

    @Test("One text answers the steps that need no more", arguments: StepType.allCases)
    @MainActor
    func text(type: StepType) async throws {
        let rehearsal = try Rehearsal()
        let guide = FromAmplify(client: rehearsal.client)
        let step = try await EveryStep.step(type, rehearsal)
        let needMore: Set<StepType> = [
            .passkey, .setUpPasskey, .attributes, .resetPassword, .waitForPasswordReset, .continueInBrowser,
            .linkAccount,
        ]
        if needMore.contains(type) {
            #expect(throws: GatewayError.self) { try guide.answer(to: step, "f1") }
            return
        }
        guide.show(.next(step))
        await rehearsal.transport.add(.answer(200, Sample.signedIn()))
        try await guide.confirmSignIn(challengeResponse: "f1")
        #expect(guide.session?.id == Sample.sessionID)
        #expect(guide.step == nil)
        let sent = try #require(await rehearsal.transport.received.last?.body)
        guard case .object(let members) = sent, case .object(let response)? = members["response"] else {
            Issue.record("\(sent)")
            return
        }
        #expect(response.count == 1)
        #expect(response.values.first?.string == "f1")
    }

    @Test("A reset at a tenant asks again until the new password counts")
    @MainActor
    func reset() async throws {
        let rehearsal = try Rehearsal()
        let guide = FromMSAL(client: rehearsal.client)
        await rehearsal.transport.add(
            .answer(200, EveryStep.answer(.password)), .answer(200, EveryStep.answer(.resetPassword)),
            .answer(200, Sample.step(StepType.waitForPasswordReset.rawValue, ["retry_after": 0])),
            .answer(200, Sample.signedIn()))
        let asked = try await guide.resetPassword(username: "ann@example.com")
        guard case .codeAndNewPassword = asked else {
            Issue.record("\(String(describing: asked))")
            return
        }
        let last = try await guide.submit(code: "123456", newPassword: "correct horse")
        guard case .home(let session) = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        #expect(session.id == Sample.sessionID)
        #expect(await rehearsal.transport.isDone)
    }
}
