import Testing

@testable import Commands
@testable import OperatorAccess

/// Errors of the command line are written for the command line.
@Suite("Refusals at the command line")
struct CommandRefusalTests {
    static let sentences: [(AdminRefusal, String)] = [
        (
            .invalidMember(pointer: "/reason", reason: "too_short"),
            "--reason is too short: write at least 3 characters."
        ),
        (.invalidMember(pointer: "/providers", reason: "required"), "--provider is missing."),
        (
            .invalidMember(pointer: "/texts/code.subject", reason: "code_required"),
            "--text (code.subject) needs the placeholder {code}."
        ),
        (
            .invalidMember(pointer: "/providers/1", reason: "unknown_provider"),
            "--provider (entry 2) names a provider that is not configured. See: gateway providers list."
        ),
        (
            .invalidMember(pointer: "/origins/0", reason: "malformed"),
            "--origin (entry 1) is not valid: write https://HOST without a path, or http://localhost:PORT."
        ),
        (.invalidMember(pointer: "/types/0", reason: "unknown_type"), "--type (entry 1) is no event type."),
        (.invalidMember(pointer: "/id", reason: "taken"), "The id is taken already."),
        (
            .invalidMember(pointer: "/role", reason: "unknown_type", accepted: ["one", "two"]),
            "--role is no event type. Accepted: one, two."
        ),
        (
            .invalidMember(pointer: "/access_token_seconds", reason: "must_be_60_to_3600_seconds"),
            "--access-token-seconds must be 60 to 3600 seconds."
        ),
        (.nothingToChange, "Nothing has changed: it is already so."),
    ]

    @Test("a refused value is named by its option, in words", arguments: sentences)
    func options(refusal: AdminRefusal, sentence: String) {
        #expect(CommandRefusal.sentence(refusal, .account) == sentence)
    }

    @Test("no sentence has the words of the API or the web")
    func words() {
        let refusals: [AdminRefusal] = [
            .invalidMember(pointer: "/name", reason: "must_be_text"), .notAnOperator, .roleTooLow, .ownAccount,
            .operatorAccount, .lastOwner, .lastAdministrationClient, .roleNeedsFactor, .changeNotSettled,
            .sessionEnded, .stepUpRequired, .reauthRequired, .audienceNotAllowed, .notFound, .nothingToChange,
            .lastCredential, .identityInUse, .accountDisabled, .deletionWaits, .throttled(retryAfter: 1),
            .accountsChanged, .undoOver, .undoBlocked(["emails"]),
        ]
        for refusal in refusals {
            let sentence = CommandRefusal.sentence(refusal, .account)
            let isPlain = ["errors[]", "pointer", "member", "`", "/account"].allSatisfy { !sentence.contains($0) }
            #expect(isPlain && sentence.count > 8, "\(sentence)")
        }
    }

    @Test("the command names the option of a short reason, and an unknown account with the remedy")
    func commands() async throws {
        try await withDeployment { deployment in
            let short = try await deployment.run("accounts", "disable", "ann@example.org", "--reason", "x")
            #expect(short.exitCode == 64)
            #expect(short.errors.contains("--reason is too short: write at least 3 characters."), "\(short.errors)")
            let unknown = try await deployment.run("accounts", "show", "ann@example.org")
            #expect(
                unknown.errors.contains(
                    "There is no such account: ann@example.org. Find it with: gateway accounts search"),
                "\(unknown.errors)")
        }
    }
}
