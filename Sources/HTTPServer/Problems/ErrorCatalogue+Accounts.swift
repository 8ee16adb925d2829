import HTTPTypes

extension ErrorCatalogue {
    static let accounts: [Entry] = [
        Entry(
            "account_disabled", .forbidden, "The account is disabled",
            cause: "An operator disabled the account, or it is closed.", remedy: "Contact the service."),
        Entry(
            "identity_in_use", .conflict, "Already linked elsewhere", cause: "The identity belongs to another account.",
            remedy:
                "With `merge_ticket`: merge the two accounts (`POST /v1/account/merges/preview`). Otherwise sign in with it, or unlink it there first."
        ),
        Entry(
            "account_conflict", .conflict, "The identity belongs to another account",
            cause:
                "The app was transferred from another team, and the transferred identity already belongs to another account.",
            remedy: "Contact the service: an operator must check both accounts."),
        Entry(
            "link_subject_changed", .conflict, "Another account",
            cause: "The sign-in led to another account than the expected one.",
            remedy: "Sign in to the account that has the address, or decline the link."),
        Entry(
            "last_credential", .conflict, "The last sign-in method",
            cause: "Without it no sign-in to the account would be possible.",
            remedy: "Link another identity first."),
        Entry(
            "reauth_required", .forbidden, "Sign in again", cause: "The session was proved more than 10 minutes ago.",
            remedy: "Sign in again and repeat the call with the new session."),
        Entry(
            "operator_account", .conflict, "An operator's account",
            cause: "Only an owner may change an operator's account, and it can't be merged into another or deleted.",
            remedy: "Withdraw the operator's role first."),
        Entry(
            "operator_acts", .forbidden, "Not while acting for a user",
            cause: "An operator acts for the user in this session, which may change nothing.",
            remedy: "End the impersonation. The user can make the change, or an operator in the console."),
        Entry(
            "flow_expired", .badRequest, "Start again",
            cause: "The flow has expired, is complete, or belongs to another call.",
            remedy: "Start again."),
    ]

    static let sessions: [Entry] = [
        Entry(
            "access_token_missing", .unauthorized, "Sign in first", cause: "No bearer token was sent.",
            remedy:
                "`Authorization: Bearer <access_token>`, of a sign-in at an app that an operator registered. An app that registers itself gets none for this API."
        ),
        Entry(
            "access_token_invalid", .unauthorized, "Sign in again", cause: "This server did not issue the token.",
            remedy: "Use the `access_token` of a sign-in or refresh."),
        Entry(
            "access_token_expired", .unauthorized, "Refresh the session", cause: "The access token has expired.",
            remedy: "`POST /v1/token/refresh`."),
        Entry(
            "session_ended", .unauthorized, "Sign in again",
            cause:
                "The session has ended: sign-out, revocation, or a disabled account. `reason` says which, if it is known.",
            remedy: "Sign in again."),
        Entry(
            "invalid_dpop_proof", .unauthorized, "Key proof not accepted",
            cause:
                "The DPoP proof is for another method, address, token or time, was used before, or is missing where the app must send one.",
            remedy: "Make a new proof for each request; `htu` begins with the gateway's public address."),
        Entry(
            "use_dpop_nonce", .unauthorized, "Repeat with this nonce",
            cause: "The DPoP proof has no nonce, or an old one.",
            remedy: "Repeat with the nonce of the header `DPoP-Nonce`."),
        Entry(
            "refresh_token_invalid", .unauthorized, "Sign in again",
            cause: "This server did not issue the refresh token, or it was deleted long ago.", remedy: "Sign in again."),
        Entry(
            "refresh_token_expired", .unauthorized, "Sign in again",
            cause: "The session reached its idle timeout or its maximum age.", remedy: "Sign in again."),
        Entry(
            "refresh_token_reused", .unauthorized, "Sign in again",
            cause:
                "A used refresh token was sent again, so there may be a copy. The session was ended, and the user notified.",
            remedy: "Keep only the newest token, in one place; sign in again."),
    ]

    static let passwords: [Entry] = [
        Entry(
            "invalid_credentials", .unauthorized, "Name or password is wrong",
            cause:
                "Name and password don't match. An unknown name, a wrong password and a disabled account get the same answer.",
            remedy: "Enter them again, or use another sign-in method."),
        Entry(
            "password_too_short", .badRequest, "The password is too short",
            cause: "It has fewer characters than required.", remedy: "Use a longer one; 15 characters are recommended."
        ),
        Entry(
            "password_too_long", .badRequest, "The password is too long", cause: "It has more than 1,024 bytes.",
            remedy: "Use a shorter one."),
        Entry(
            "password_common", .badRequest, "The password is too common",
            cause: "It is a common password or a name of the service, or close to one, or it was in a breach.",
            remedy: "Use an uncommon one."),
        Entry(
            "password_contains_address", .badRequest, "The password contains the address",
            cause: "It is the address or the name before its @, or close to it.",
            remedy: "Use one without the address."),
        Entry(
            "password_unchanged", .badRequest, "The new password must differ",
            cause: "It is the current password, or one that an operator or an import set.",
            remedy: "Use another one."),
        Entry(
            "code_wrong", .badRequest, "The code is wrong", cause: "Not the latest code.",
            remedy: "Enter it again; `detail` has the number of remaining attempts."),
        Entry(
            "too_many_tries", .badRequest, "Too many tries", cause: "Too many wrong codes.",
            remedy: "Request a new code, or start again."),
        Entry(
            "resend_too_soon", .tooManyRequests, "Too soon", cause: "A code was sent a moment ago.",
            remedy: "Wait for `Retry-After`; check the spam folder."),
        Entry(
            "too_many_resends", .tooManyRequests, "Too many codes", cause: "No more codes are sent for this flow.",
            remedy: "Start again."),
        Entry(
            "throttled", .tooManyRequests, "Slow down",
            cause:
                "Too many attempts for this name, from this address or by this client, or too many refreshes of this session.",
            remedy: "Wait for `Retry-After`. A known device, or an earlier network, may continue."),
        Entry(
            "claims_unavailable", .serviceUnavailable, "The service is temporarily unavailable",
            cause:
                "The app's claims service returns no valid answer, and the app requires one; the log has the reason.",
            remedy: "Start the sign-in again after `Retry-After`; a refresh token stays valid."),
        Entry(
            "challenge_unavailable", .serviceUnavailable, "The challenge is temporarily unavailable",
            cause: "The webhook of the custom challenge returns no valid answer; the log has the reason.",
            remedy: "Send the same answer again after `Retry-After`, or choose another factor: the flow continues."),
        Entry(
            "delivery_unavailable", .serviceUnavailable, "The message can't be sent",
            cause: "Messages of this type are not configured here, such as text messages.",
            remedy: "Use another way; the operator's `SMS_SENDER` decides."),
        Entry(
            "delivery_refused", .unprocessableContent, "The address is refused",
            cause: "The mail server or the text message service permanently refuses this address or number.",
            remedy: "Check it for a typing error, or use another one."),
        Entry(
            "bot_check_required", .forbidden, "A bot check is required",
            cause:
                "The app asks for a bot check, always or beyond the budget of a network (`bot_check` of the client), and the request has no answer of the widget.",
            remedy:
                "Show the widget that `widget` and `site_key` name, and repeat the request with its answer in `bot_check`."
        ),
        Entry(
            "bot_check_failed", .forbidden, "The bot check failed",
            cause:
                "The service refused the answer of the widget: it is invalid, expired, used before, or from a page of another host.",
            remedy: "Show the widget again. An answer is good for one request."),
        Entry(
            "country_not_served", .unprocessableContent, "No text messages go to this country",
            cause: "The number's calling code is not in the operator's list.",
            remedy: "Use another way; the operator's `SMS_COUNTRIES` lists the codes."),
    ]
}
