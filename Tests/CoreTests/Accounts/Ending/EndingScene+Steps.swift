import Foundation
import JSON
import Postgres
import Testing

@testable import SignIn
@testable import Vocabulary

/// The steps that several changes share.
extension EndingScene {
    func code(to address: String) throws -> StepResponse {
        StepResponse(.code(try #require(core.mail.code(to: address))))
    }

    /// Begins to add a mailbox as a second factor; returns its flow.
    func beginFactor(_ address: String) async throws -> String {
        try await core.factors.begin(.email(address), session: asking, caller: TestCore.caller).flow
    }

    /// Adds a mailbox as a second factor; returns its id.
    @discardableResult
    func addFactor(_ address: String) async throws -> String {
        let flow = try await beginFactor(address)
        return try await core.factors.confirm(
            flow: flow, response: code(to: address), session: asking, caller: TestCore.caller
        ).factor.text
    }

    func removeFactor(_ id: String) async throws {
        try await core.factors.remove(
            try #require(UUID(uuidString: id)), session: asking, caller: TestCore.caller)
    }

    func beginAddress(_ address: String) async throws -> String {
        try await core.account.addresses.begin(address, session: asking, caller: TestCore.caller).flow
    }

    func confirmAddress(_ address: String, _ flow: String) async throws {
        try await core.account.addresses.confirm(
            flow: flow, response: code(to: address), session: asking, caller: TestCore.caller)
    }

    /// Adds a second mailbox; returns its address.
    func addAddress() async throws -> String {
        let address = "ann@example.org"
        try await confirmAddress(address, try await beginAddress(address))
        return address
    }

    /// Adds a number as its main one; returns it.
    func addNumber(isProved: Bool) async throws -> String {
        let number = "+4915112345678"
        try await core.change(
            """
            insert into account_phones (account_id, phone_key, source, proved_at)
            values (\(account), \(number), 'person', case when \(isProved) then now() end)
            """)
        return number
    }

    /// Adds a passkey that can't sign in; returns its id.
    func addPasskey() async throws -> String {
        let id = UUID()
        try await core.change(
            """
            insert into passkeys (id, account_id, user_handle, credential_id, public_key, algorithm, counter, backup_eligible,
                                  backed_up, attestation)
            values (\(id), \(account), 'u', 'c', 'k', -7, 0, false, false, 'none')
            """)
        return id.text
    }

    /// Another account, with a password of its own.
    func neighbour() async throws -> UUID {
        try await people.account("Bob", emails: ["bob@example.com"], identities: ["bob"], password: true)
    }

    /// Calls a function that returns this word.
    func call(_ statement: SQL, gives word: String) async throws {
        #expect(try await people.texts(statement) == [word])
    }
}
