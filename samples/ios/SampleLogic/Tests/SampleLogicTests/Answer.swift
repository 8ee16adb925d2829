/// Answers in the shape of `docs/openapi.yaml`.
enum Answer {
    static func signedIn(session: String = "s1", account: String = "a1", codes: String = "[]") -> String {
        """
        {"status": "signed_in", "new_account": false, "recovery_codes": \(codes),
         "account": {"id": "\(account)", "display_name": "Ann", "email": "ann@example.com", "email_verified": true,
                     "created_at": "2026-11-21T13:10:32Z"},
         "session": {"id": "\(session)", "token_type": "Bearer", "access_token": "access", "expires_in": 600,
                     "refresh_token": "refresh-\(session)", "refresh_expires_in": 2592000}}
        """
    }

    static func step(_ type: String, _ members: String = "") -> String {
        #"{"status": "next_step", "flow": "fl_1", "expires_in": 600, "next_step": {"type": "\#(type)"\#(members)}}"#
    }

    static let passkey = #", "passkey": {"challenge": "mZr"}"#
    static let nonce = #"{"nonce": "nonce-1", "expires_in": 600}"#
    static let deletion =
        #"{"deletion": {"requested_at": "2026-11-21T13:14:19Z", "due_at": "2026-12-05T13:14:19Z"}}"#

    static func profile(deletion: String = "null") -> String {
        """
        {"id": "a1", "display_name": "Ann", "email": "ann@example.com", "email_verified": true, "user_name": null,
         "phone": null, "phone_verified": false, "attributes": {}, "first_factor": null,
         "created_at": "2026-11-21T13:10:32Z", "deletion": \(deletion)}
        """
    }

    static let sessions = """
        {"sessions": [\(session("s1", isCurrent: true)), \(session("s9", isCurrent: false))]}
        """

    private static func session(_ id: String, isCurrent: Bool) -> String {
        """
        {"id": "\(id)", "current": \(isCurrent), "client_id": "app", "provider": "password",
         "dialect": "gateway", "device_name": null,
         "address": null, "user_agent": null, "created_at": "2026-11-21T13:10:32Z",
         "last_used_at": "2026-11-21T13:10:32Z", "idle_expires_at": "2026-12-21T13:10:32Z",
         "expires_at": "2027-05-20T13:10:32Z"}
        """
    }

    static func problem(_ code: String, _ status: Int) -> (Int, String) {
        let type = "https://login.example.com/errors/\(code)"
        return (status, #"{"type": "\#(type)", "title": "Refused", "status": \#(status), "code": "\#(code)"}"#)
    }
}
