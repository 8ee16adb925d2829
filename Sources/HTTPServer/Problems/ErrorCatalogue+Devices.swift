import HTTPTypes

extension ErrorCatalogue {
    /// Refusals of the device flow (RFC 8628).
    static let devices: [Entry] = [
        Entry(
            "authorization_pending", .badRequest, "The user has not answered yet",
            cause: "No user has allowed or declined the request of the device yet.",
            remedy: "Ask again after `interval` seconds."),
        Entry(
            "slow_down", .badRequest, "Too fast",
            cause: "The device asked again before `interval` seconds had passed.",
            remedy: "Wait 5 seconds longer between two requests from now on."),
        Entry(
            "access_denied", .badRequest, "The user declined",
            cause: "The user declined the request of the device, or what the app asks for.",
            remedy: "Nothing; start again only if the user asks for it."),
        Entry(
            "expired_token", .badRequest, "The device code has expired",
            cause: "No user answered within 10 minutes.", remedy: "Get a new code: `POST /v1/device_authorization`."),
        Entry(
            "unauthorized_client", .badRequest, "The client may not do this",
            cause:
                "The device flow, or the grant, is off for the client, or the client is public or one for administration.",
            remedy: "Set `device_flow` or `service_account` of its `openid` settings."),
        Entry(
            "user_code_invalid", .badRequest, "The code is not valid",
            cause: "No device waits with the typed code: it is wrong, expired, or was answered.",
            remedy: "Compare it with the screen of the device, or start again there."),
    ]
}
