import HTTPTypes

extension ErrorCatalogue {
    /// Sign-in in a browser, and the hand-over to apps.
    static let web: [Entry] = [
        Entry(
            "state_invalid", .badRequest, "This sign-in was not begun here",
            cause: "The callback carries no state, or none of ours: nobody began it, or it was changed on the way.",
            remedy: "Begin at `GET /login`."),
        Entry(
            "state_not_bound", .badRequest, "This browser did not begin the sign-in",
            cause:
                "The cookie of the flow did not come back: another browser began it, or this one drops cookies. On plain http only `localhost` keeps them.",
            remedy: "Begin again in one browser; serve over https."),
        Entry(
            "state_used", .badRequest, "This sign-in is finished", cause: "The callback came a second time.",
            remedy: "Nothing is lost: go on with the session of the first, or begin again."),
        Entry(
            "mixup", .badRequest, "Another provider's answer",
            cause: "The callback address, or its `iss`, is not that of the provider that was asked (RFC 9207).",
            remedy: "Register each provider's own callback address: `/login/<provider>/callback`."),
        Entry(
            "provider_disabled", .conflict, "Not available any more",
            cause: "Provider or client was disabled while the person was away.", remedy: "Begin again, another way."),
        Entry(
            "provider_cancelled", .forbidden, "Cancelled", cause: "The person cancelled at the provider.",
            remedy: "Nothing; let them choose again."),
        Entry(
            "provider_failed", .badGateway, "The provider could not sign this person in",
            cause: "The provider's callback says so; its own word is in the log.",
            remedy: "Try again; check the provider's configuration if it stays."),
        Entry(
            "redirect_not_allowed", .badRequest, "This address is not registered",
            cause:
                "`redirect_uri` is not on the client's list, byte for byte; only a loopback address may vary its port.",
            remedy: "Register it (`CLIENT_REDIRECT_URIS` for the first client)."),
        Entry(
            "code_challenge_required", .badRequest, "A code challenge is needed",
            cause:
                "The redirect address belongs to an app, or to an origin that the client has not registered; or `response_type` asks for a code.",
            remedy:
                "Send an S256 `code_challenge`, and redeem the code at `POST /v1/token`. A website that takes the session cookie leaves `response_type` out."
        ),
        Entry(
            "insecure_transport", .forbidden, "Not over plain http",
            cause: "The browser reached this server by plain http, where its cookies would be lost or read.",
            remedy:
                "Serve TLS (`TLS_CERTIFICATE_FILE`), or name the proxy that does (`TRUSTED_PROXIES`). `http://localhost` is exempt."
        ),
        Entry(
            "form_not_bound", .forbidden, "The form is too old or not ours",
            cause: "A form came without this browser's token, or from another site.",
            remedy: "Load the page again and send it from there."),
        Entry(
            "invalid_grant", .badRequest, "The code or token is not good",
            cause:
                "`POST /v1/token`: unknown, expired, used before, or not bound to this client, redirect address and verifier.",
            remedy: "Begin a new sign-in. A code is good for 60 seconds and once."),
        Entry(
            "unsupported_grant_type", .badRequest, "Unknown grant type",
            cause: "`grant_type` is neither `authorization_code` nor `refresh_token`.", remedy: "Use one of the two."),
    ]
}
