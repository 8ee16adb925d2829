import Foundation
import Testing

@testable import GatewayClient

@Suite("The account at a real gateway", .enabled(if: Server.isThere, "make test starts the gateway"))
struct AccountServerTests {
    @Test("The profile is read and changed; nothing else changes with it")
    func profile() async throws {
        let session = try await Person.signedUp().session
        let changed = try await session.changeProfile(displayName: .set("Ann Lee"), firstFactor: .set(.emailCode))
        #expect(changed.displayName == "Ann Lee")
        #expect(changed.firstFactor == .emailCode)
        let removed = try await session.changeProfile(displayName: .remove)
        #expect(removed.displayName == nil)
        #expect(removed.firstFactor == .emailCode)
        #expect(try await session.profile() == removed)
        let current = try await session.current()
        #expect(current.session.id == session.id)
        #expect(current.session.methods == ["pwd"])
        #expect(current.account.id == session.account.id)
    }

    @Test("A changed password ends the other sessions, not this one")
    func password() async throws {
        let person = try await Person.signedUp()
        let other = try await person.signInElsewhere().session()
        await #expect {
            try await person.session.changePassword(from: Person.otherWords, to: "a third one of words")
        } throws: {
            ($0 as? GatewayError)?.code == .invalidCredentials
        }
        try await person.session.changePassword(from: person.password, to: Person.otherWords)
        _ = try await person.session.profile()
        await #expect { try await other.refreshNow() } throws: { error in
            if case GatewayError.sessionEnded(let end) = error { end.reason == .endedElsewhere } else { false }
        }
    }

    @Test("An authenticator app: enrolled, asked, remembered, named, stepped up and removed")
    func secondFactor() async throws {
        let person = try await Person.signedUp()
        let enrolment = try await person.session.addFactor(.authenticatorApp)
        guard case .authenticator(let secret, let uri) = enrolment.question else { throw ScriptFailure("no secret") }
        #expect(uri.hasPrefix("otpauth://totp/"))
        var app = AuthenticatorApp(base32: secret)
        let added = try await enrolment.confirm(code: try app.nextCode(), name: "Phone")
        #expect(added.factor.kind == .authenticatorApp)
        let codes = try #require(added.recoveryCodes)
        #expect(codes.count == 10)

        let client = try Server.client()
        let step = try await client.signIn(.password(username: person.email, password: person.password)).step()
        guard case .authenticatorCode(let question) = step else { throw ScriptFailure("no code is asked: \(step)") }
        #expect(question.alternatives.contains { $0.kind == .recoveryCode })
        let session = try await step.answer(.recoveryCode(try #require(codes.first)), rememberDevice: true).session()
        #expect(try await session.factors().recoveryCodesLeft == 9)
        let devices = try await session.devices()
        #expect(devices.count == 1)
        // The same device is not asked again, until it is forgotten.
        let again = try await client.signIn(.password(username: person.email, password: person.password)).session()
        try await again.forget(try #require(devices.first))
        let asked = try await client.signIn(.password(username: person.email, password: person.password)).step()
        guard case .authenticatorCode = asked else { throw ScriptFailure("no code is asked: \(asked)") }
    }

    @Test("A session is raised to two factors, and its factor is renamed and removed then")
    func stepUp() async throws {
        let person = try await Person.signedUp()
        let enrolment = try await person.session.addFactor(.authenticatorApp)
        guard case .authenticator(let secret, _) = enrolment.question else { throw ScriptFailure("no secret") }
        var app = AuthenticatorApp(base32: secret)
        let added = try await enrolment.confirm(code: try app.nextCode())
        let step = try await person.session.stepUp().step()
        let raised = try await step.answer(.code(try app.nextCode())).session()
        #expect(raised.id != person.session.id)
        #expect(try await raised.current().session.level == "2")
        try await Server.expectEnd(of: person.session)
        let named = try await raised.change(added.factor, name: .set("Old phone"), preferred: true)
        #expect(named.factors.map(\.name) == ["Old phone"])
        #expect(try await raised.makeRecoveryCodes().count == 10)
        try await raised.remove(added.factor)
        #expect(try await raised.factors().hasSecondFactor == false)
    }

    @Test("A passkey is created, signs in without a name, and is a step")
    func passkey() async throws {
        let person = try await Person.signedUp()
        let authenticator = try SoftwareAuthenticator(origin: try #require(Server.gateway))
        let enrolment = try await person.session.addFactor(.passkey)
        guard case .passkey(let options) = enrolment.question else { throw ScriptFailure("no options") }
        let added = try await enrolment.confirm(
            passkey: try await authenticator.registration(for: options), name: "Laptop")
        #expect(added.factor.kind == .passkey)
        #expect(added.factor.name == "Laptop")
        let session = try await Server.client().signIn(with: authenticator).session()
        #expect(session.account.id == person.session.account.id)
        let stranger = try SoftwareAuthenticator(origin: try #require(Server.gateway))
        _ = try await stranger.registration(for: options)
        await #expect { try await Server.client().signIn(with: stranger) } throws: {
            ($0 as? GatewayError)?.code == .passkeyRefused
        }
    }

    @Test("A further address is added by its code, made the main one, and the old one removed")
    func addresses() async throws {
        let person = try await Person.signedUp()
        let email = Person.freshEmail()
        let enrolment = try await person.session.addAddress(email)
        #expect(enrolment.delivery?.medium == .email)
        let all = try await enrolment.confirm(code: try await Server.mailedCode(email))
        #expect(Set(all.map(\.address)) == [person.email, email])
        let added = try #require(all.first { $0.address == email })
        let main = try await person.session.makeMain(added)
        #expect(main.first { $0.isMain }?.address == email)
        let old = try #require(main.first { $0.address == person.email })
        try await person.session.remove(old)
        #expect(try await person.session.addresses().map(\.address) == [email])
    }

    @Test("An identity is linked and unlinked; the events tell it")
    func identities() async throws {
        let session = try await Person.signedUp().session
        let minted = try await Server.mint("google", Server.stranger("1"))
        let credential = Credential.provider("google", idToken: try #require(minted["id_token"]?.string))
        let identity = try await session.link(credential)
        #expect(try await session.identities() == [identity])
        try await session.unlink(identity)
        #expect(try await session.identities().isEmpty)
        let events = try await session.events(limit: 100)
        let types = events.events.map(\.kind)
        #expect(types.contains("identity_linked") && types.contains("identity_unlinked"))
        let page = try await session.events(limit: 1)
        let cursor: String = try #require(page.nextCursor)
        let next = try await session.events(limit: 1, after: cursor)
        #expect(page.events != next.events)
    }

    @Test("Two accounts of one user are merged and taken apart again")
    func merge() async throws {
        let person = try await Person.signedUp()
        let other = try await Person.signedUp(person.client.forAnotherAccount())
        // The other account's client has its own store.
        #expect(try await person.client.session()?.id == person.session.id)
        let ticket = try await person.session.mergeTicket(for: other.session)
        let preview = try await person.session.previewMerge(ticket)
        #expect(preview.moves.emails == [other.email])
        #expect(preview.losesPassword)
        let merge = try await person.session.merge(ticket, as: preview)
        #expect(merge.absorbedAccountID == other.session.account.id)
        #expect(try await person.session.merges() == [merge])
        #expect(try await person.session.addresses().map(\.address).contains(other.email))
        await #expect(throws: GatewayError.self) { try await other.session.profile() }
        try await person.session.undo(merge)
        #expect(try await person.client.session() == nil)
        let back = try await Server.client().signIn(.password(username: other.email, password: other.password))
        #expect(try back.session().account.id == other.session.account.id)
    }

    @Test("A refused link of another account's identity carries the ticket for a merge")
    func mergeTicket() async throws {
        // The provider states no time: for an address that it proves, the gateway would ask for a code first.
        let mint = Server.stranger("1").merging(["email": .string("\(UUID().uuidString)@example.org")]) { $1 }
        let first = try #require(try await Server.mint("google", mint)["id_token"]?.string)
        _ = try await Server.client().signIn(.provider("google", idToken: first)).session()
        let session = try await Person.signedUp().session
        let second = try #require(try await Server.mint("google", mint)["id_token"]?.string)
        do {
            _ = try await session.link(.provider("google", idToken: second))
            Issue.record("linked an identity of another account")
        } catch GatewayError.refused(let problem) {
            #expect(problem.code == .identityInUse)
            let preview = try await session.previewMerge(try #require(problem.mergeTicket))
            #expect(preview.moves.identities.map(\.subject) == [mint["subject"]?.string])
        }
    }

    @Test("Everything is exported; the account is deleted, and kept after all")
    func privacy() async throws {
        let person = try await Person.signedUp()
        let export = try JSONDecoder().decode(JSONValue.self, from: try await person.session.exportData())
        #expect(export["account"]?["id"]?.string == person.session.account.id)
        let deletion = try #require(try await person.session.deleteAccount())
        #expect(deletion.dueAt > deletion.requestedAt)
        #expect(try await person.client.session() == nil)
        let session = try await person.signInElsewhere().session()
        #expect(try await session.profile().deletion == deletion)
        try await session.cancelDeletion()
        #expect(try await session.profile().deletion == nil)
    }
}
