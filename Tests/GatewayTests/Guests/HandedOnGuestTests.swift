import Foundation
import JSON
import Postgres
import Testing

extension GuestTests {
    /// Someone uses an app as a guest and hands the device on; the next user upgrades the account.
    @Suite("A guest's account that is handed on")
    struct HandedOnGuestTests {
        @Test("3-N1: a guest sets no password, and one that was stored for it ends with the upgrade")
        func password() async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            let set = try await gateway.post(
                "/v1/password/change", ["new_password": .string(GatewayProcess.password)], bearer: guest.accessToken)
            try await gateway.expectRefusal(set, 403, "reauth_required", action: "change_password")
            #expect(try await passwords(guest.account) == 0)
            // No door of a guest stores one, so a back end did.
            let other = try await gateway.signUp(Fresh.email())
            try await gateway.change(
                """
                insert into passwords (account_id, hash)
                select \(guest.account)::uuid, hash from passwords where account_id = \(other.account)::uuid
                """)
            let email = Fresh.email()
            _ = try await gateway.newMailbox(email, bearer: guest.accessToken)
            #expect(try await passwords(guest.account) == 0)
            let stranger = try await gateway.passwordSignIn(email, GatewayProcess.password)
            #expect(stranger.code == "invalid_credentials", "\(stranger.text)")
        }

        private func passwords(_ account: String) async throws -> Int {
            try await GatewayProcess.current.count("select count(*) from passwords where account_id = \(account)::uuid")
        }

        /// The ways to a first sign-in method.
        enum Way: String, CaseIterable { case identity, mailbox, passkey }

        @Test("3-N1: tokens copied from a guest end with the upgrade, and its user goes on", arguments: Way.allCases)
        func tokens(way: Way) async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            let renewed = try Renewed(try await upgrade(guest, by: way))
            #expect(try await gateway.checkSession(guest.accessToken).json["reason"] == "replaced")
            try await gateway.expectEnded(guest.accessToken, [guest.refreshToken])
            let copied = try await gateway.patch(
                "/v1/account", ["display_name": "Mallory"], bearer: guest.accessToken)
            #expect(copied.code == "session_ended", "\(copied.text)")
            let own = try await gateway.patch("/v1/account", ["display_name": "Ann"], bearer: renewed.accessToken)
            #expect(own.status == 200 && own.json["id"]?.string == guest.account, "\(own.text)")
            let claims = try #require(Tokens.object(renewed.accessToken, part: 1))
            #expect(claims["acr"] == (way == .passkey ? "2" : "1"))
            _ = try await gateway.refreshed(renewed.refreshToken)
            #expect(try await gateway.audit(account: guest.account).allSatisfy { $0.action != "new_device" })
        }

        private func upgrade(_ guest: SignedInAnswer, by way: Way) async throws -> TestAnswer {
            let gateway = try GatewayProcess.current
            return switch way {
            case .identity:
                try await gateway.link(try await gateway.simulator.mint("google"), bearer: guest.accessToken)
            case .mailbox: try await gateway.newMailbox(Fresh.email(), bearer: guest.accessToken)
            case .passkey: try await gateway.newPasskey(bearer: guest.accessToken).added
            }
        }
    }
}
