import JSON
import Postgres
import Testing

extension GatewayProcess {
    static func passwordCredential(_ email: String) -> JSONObject {
        [
            "provider": "password", "client_id": "app",
            "credential": ["username": .string(email), "password": .string(password)],
        ]
    }

    /// A session with tokens, by the password, on a device that the account has not used.
    func strangeSession(_ email: String) async throws -> SignedInAnswer {
        try SignedInAnswer(
            try await send(
                TestRequest("POST", "/v1/sign-in").json(.object(Self.passwordCredential(email)))
                    .header("User-Agent", StrangeDevice.agent)))
    }

    /// Every method of an account, in order.
    func methods(of account: String) async throws -> [String] {
        try await sql { connection in
            try connection.query(
                """
                select 'email ' || address || case when is_main then ' main' else '' end from account_emails where account_id = \(account)::uuid
                union all select 'phone' from account_phones where account_id = \(account)::uuid
                union all select 'identity' from identities where account_id = \(account)::uuid
                union all select kind from factors where account_id = \(account)::uuid
                union all select 'passkey' from passkeys where account_id = \(account)::uuid
                union all select 'recovery code' from recovery_codes where account_id = \(account)::uuid
                union all select 'password' from passwords where account_id = \(account)::uuid
                order by 1
                """
            ).map { try $0.value(0, as: String.self) }
        }
    }
}
