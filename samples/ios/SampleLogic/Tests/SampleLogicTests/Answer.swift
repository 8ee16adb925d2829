import GatewayClient

/// Answers in the shape of `docs/openapi.yaml`, for the calls that the fake gateway does not answer itself.
enum Answer {
    static let deletion: JSONValue = ["deletion": pending]
    static let pending: JSONValue = ["requested_at": "2026-11-21T13:14:19Z", "due_at": "2026-12-05T13:14:19Z"]

    static let profileBeforeDeletion: JSONValue = [
        "id": "00000000-0000-7000-8000-000000000001", "display_name": "Ann", "email": "ann@example.com",
        "email_verified": true, "user_name": nil, "phone": nil, "phone_verified": false, "attributes": [:],
        "first_factor": nil, "created_at": "2026-11-21T13:10:32Z", "deletion": pending,
    ]

    static let sessions: JSONValue = ["sessions": [session("s1", isCurrent: true), session("s9", isCurrent: false)]]

    private static func session(_ id: JSONValue, isCurrent: Bool) -> JSONValue {
        [
            "id": id, "current": .bool(isCurrent), "client_id": "app", "provider": "password", "dialect": "gateway",
            "device_name": nil, "address": nil, "user_agent": nil, "created_at": "2026-11-21T13:10:32Z",
            "last_used_at": "2026-11-21T13:10:32Z", "idle_expires_at": "2026-12-21T13:10:32Z",
            "expires_at": "2027-05-20T13:10:32Z",
        ]
    }

    static let addedPasskey: JSONValue = [
        "factor": [
            "id": "f1", "type": "passkey", "name": "Sample app", "preferred": false,
            "added_at": "2026-11-21T13:10:32Z", "last_used_at": nil,
        ],
        "recovery_codes": ["k3v7q-m2xpa"],
    ]
}
