import HTTPTypes

extension ErrorCatalogue {
    /// Refusals of the browser sign-in and of the handover to apps.
    static let web: [Entry] = [
        Entry(
            "state_invalid", .badRequest, "This sign-in was not started here",
            cause: "The callback's state is missing, was changed, or is not ours.",
            remedy: "Start at `GET /login`."),
        Entry(
            "state_not_bound", .badRequest, "This browser did not start the sign-in",
            cause:
                "The cookie of the flow is missing: another browser started it, or this one drops cookies. On plain http only `localhost` keeps them.",
            remedy: "Start again in one browser; serve over https."),
        Entry(
            "state_used", .badRequest, "This sign-in is finished", cause: "The callback arrived a second time.",
            remedy: "Continue with the session of the first callback, or start again."),
        Entry(
            "mixup", .badRequest, "Another provider's answer",
            cause: "The callback address, or its `iss`, belongs to another provider than the requested one (RFC 9207).",
            remedy: "Register each provider's own callback address: `/login/<provider>/callback`."),
        Entry(
            "provider_disabled", .conflict, "Not available any more",
            cause: "Provider or client was disabled during the sign-in.", remedy: "Start again in another way."),
        Entry(
            "provider_cancelled", .forbidden, "Cancelled", cause: "The user cancelled at the provider.",
            remedy: "Nothing; let the user choose again."),
        Entry(
            "provider_failed", .badGateway, "The provider could not sign this user in",
            cause: "The provider's callback reports an error; the log has its code.",
            remedy: "Try again; check the provider's configuration if it happens again."),
        Entry(
            "redirect_not_allowed", .badRequest, "This address is not registered",
            cause:
                "`redirect_uri` is not on the client's list, byte for byte; only a loopback address may vary its port.",
            remedy:
                "Register it with `gateway clients change APP --add-redirect-uri ADDRESS`, or on the app's page of the console (`/admin/clients`)."
        ),
        Entry(
            "code_challenge_required", .badRequest, "A code challenge is needed",
            cause:
                "The redirect address belongs to an app, or to an origin that the client has not registered; or `response_type` asks for a code.",
            remedy:
                "Send an S256 `code_challenge`, and redeem the code at `POST /v1/token`. A website with the session cookie omits `response_type`."
        ),
        Entry(
            "login_required", .unauthorized, "A sign-in is needed",
            cause: "`prompt=none` asks for an answer without a page, and no session of this app answers it.",
            remedy: "Send the user to the same address without `prompt=none`."),
        Entry(
            "insecure_transport", .forbidden, "Not over plain http",
            cause: "The browser reached this server over plain http, where its cookies could be lost or read.",
            remedy:
                "Serve TLS (`TLS_CERTIFICATE_FILE`), or name the proxy that does (`TRUSTED_PROXIES`). `http://localhost` is exempt."
        ),
        Entry(
            "disown_link_invalid", .badRequest, "This link is not valid any more",
            cause:
                "The link of a notice about a new device is older than 7 days, was changed, or its session is no longer stored.",
            remedy: "Sign in and check the devices and sign-in methods of the account."),
        Entry(
            "invitation_invalid", .badRequest, "This link is not valid any more",
            cause: "The link of an invitation is unknown, older than 7 days or used, or the account has changed since.",
            remedy: "Sign in with the address, or ask for another invitation: `gateway accounts invite`."),
        Entry(
            "form_not_bound", .forbidden, "The form has expired or is not ours",
            cause: "The form has no token of this browser, or was sent from another site.",
            remedy: "Load the page again and send the form from there."),
        Entry(
            "invalid_grant", .badRequest, "The code or token is not valid",
            cause:
                "`POST /v1/token`: unknown, expired, used before, or not bound to this client, redirect address and verifier.",
            remedy: "Start a new sign-in. A code works once, for 60 seconds."),
        Entry(
            "client_document_refused", .badRequest, "The app's description can't be used",
            cause:
                "`client_id` is the address of a document that can't be fetched, or that breaks a rule of its draft.",
            remedy: "The answer names the rule. Correct the document, and try again: nothing of a failure is kept."),
        Entry(
            "app_request_refused", .badRequest, "The app's request was refused",
            cause:
                "`/authorize`: a fault of an app that nobody vouches for is shown here, and not sent to its address.",
            remedy: "The page names the fault. Correct the request."),
        Entry(
            "invalid_client_metadata", .badRequest, "This registration can't be used",
            cause: "`POST /v1/register`: a member is missing, has a form or a value that is not offered.",
            remedy: "The description names the member."),
        Entry(
            "invalid_redirect_uri", .badRequest, "An address can't be registered",
            cause: "`redirect_uris`: none, too many, or one that is neither `https:` nor on the user's own computer.",
            remedy: "Register `https:` addresses, or `http://localhost/…` for a program."),
        Entry(
            "subject_token_invalid", .badRequest, "This token can't be exchanged",
            cause:
                "`subject_token` is expired, its session is over, or it was issued neither to this client nor for its API.",
            remedy: "Exchange the access token with which your own API was called."),
        Entry(
            "assertion_invalid", .badRequest, "This assertion begins no session",
            cause:
                "`assertion` breaks a rule, was used before, is for another client, or opens no account of its user.",
            remedy: "The answer names the reason. Get a new assertion, or let the user sign in with a browser."),
        Entry(
            "invalid_target", .badRequest, "No token for this resource",
            cause: "`resource` is no registered API, the app may not ask for it, or the user granted others only.",
            remedy: "Send the identifier that the app's operator registered. Of several granted resources name one."),
        Entry(
            "invalid_scope", .badRequest, "More than was granted",
            cause:
                "A refresh has a `scope` that the user did not grant, or an app asks for one that its operator does not allow.",
            remedy: "Leave `scope` out, start a new sign-in, or change the app's `scopes`."),
        Entry(
            "unsupported_grant_type", .badRequest, "Unknown grant type",
            cause: "`grant_type` is none that the metadata list.", remedy: "Use one of `grant_types_supported`."),
        Entry(
            "unsupported_token_type", .badRequest, "This token can't be revoked",
            cause: "`POST /v1/token/revoke` or `/oauth2/revoke` got an ID token. Its session goes on.",
            remedy: "Send the refresh token or the access token."),
    ]
}
