import HTTPTypes

extension ErrorCatalogue {
    static let accounts: [Entry] = [
        Entry(
            "account_disabled", .forbidden, "The account is disabled",
            cause: "An operator disabled the account, or it is closed.", remedy: "Contact the service."),
        Entry(
            "identity_in_use", .conflict, "Already linked elsewhere", cause: "The identity belongs to another account.",
            remedy:
                "With `merge_ticket`: join the two accounts (`POST /v1/account/merges/preview`). Else sign in with it, or unlink it there first."
        ),
        Entry(
            "account_conflict", .conflict, "Known as somebody else",
            cause: "The app came from another team, and who this was there is somebody else here already.",
            remedy: "Contact the service: an operator has to look at both."),
        Entry(
            "link_subject_changed", .conflict, "Another account",
            cause: "The sign-in led to another account than the one that was to be proved.",
            remedy: "Sign in to the account that has the address, or decline the link."),
        Entry(
            "last_credential", .conflict, "The last way in", cause: "Without it nobody could sign in to the account.",
            remedy: "Link another identity first."),
        Entry(
            "reauth_required", .forbidden, "Sign in again", cause: "The session was proved more than 10 minutes ago.",
            remedy: "Sign in again and repeat the call with the new session."),
        Entry(
            "operator_account", .conflict, "An operator's account",
            cause: "Only an owner changes an operator's account, and none is merged into another or deleted.",
            remedy: "Have the operator's role taken away first."),
        Entry(
            "flow_expired", .badRequest, "Start again", cause: "The flow is over, finished, or not for this call.",
            remedy: "Start again from the beginning."),
    ]

    static let sessions: [Entry] = [
        Entry(
            "access_token_missing", .unauthorized, "Sign in first", cause: "No bearer token was sent.",
            remedy: "`Authorization: Bearer <access_token>`."),
        Entry(
            "access_token_invalid", .unauthorized, "Sign in again", cause: "The token is not one of this server's.",
            remedy: "Use the `access_token` of a sign-in or refresh."),
        Entry(
            "access_token_expired", .unauthorized, "Refresh the session", cause: "The access token is over.",
            remedy: "`POST /v1/token/refresh`."),
        Entry(
            "session_ended", .unauthorized, "Sign in again",
            cause: "The session was ended: signed out, revoked, or the account was disabled.", remedy: "Sign in again."),
        Entry(
            "refresh_token_invalid", .unauthorized, "Sign in again",
            cause: "The refresh token is not one of this server's, or long forgotten.", remedy: "Sign in again."),
        Entry(
            "refresh_token_expired", .unauthorized, "Sign in again",
            cause: "The session was unused for too long, or reached its greatest age.", remedy: "Sign in again."),
        Entry(
            "refresh_token_reused", .unauthorized, "Sign in again",
            cause: "A spent refresh token came back: somebody has a copy. The session was ended and its owner told.",
            remedy: "Keep only the newest token, in one place; sign in again."),
    ]

    static let passwords: [Entry] = [
        Entry(
            "invalid_credentials", .unauthorized, "Name or password is wrong",
            cause: "Name and password do not belong together. Unknown, wrong and disabled look alike.",
            remedy: "Type them again, or use another way in."),
        Entry(
            "password_too_short", .badRequest, "The password is too short",
            cause: "It has fewer characters than required.", remedy: "Take a longer one; 15 characters are recommended."
        ),
        Entry(
            "password_too_long", .badRequest, "The password is too long", cause: "It has more than 1,024 bytes.",
            remedy: "Take a shorter one."),
        Entry(
            "password_common", .badRequest, "The password is too common",
            cause: "It is in the list of passwords that are tried first, or close to one.",
            remedy: "Take one that nobody else has."),
        Entry(
            "password_contains_address", .badRequest, "The password contains the address",
            cause: "It is, or contains, the name of the mailbox.",
            remedy: "Take one that has nothing to do with the address."),
        Entry(
            "password_unchanged", .badRequest, "The new password must differ",
            cause: "It is the present password, or one that an operator or an import set.",
            remedy: "Take another one."),
        Entry(
            "code_wrong", .badRequest, "The code is wrong", cause: "Not the code that was sent last.",
            remedy: "Type it again; `detail` says how many tries are left."),
        Entry(
            "too_many_tries", .badRequest, "Too many tries", cause: "The code was guessed at too often.",
            remedy: "Ask for another code, or start again."),
        Entry(
            "resend_too_soon", .tooManyRequests, "Too soon", cause: "A code was sent a moment ago.",
            remedy: "Wait for `Retry-After`; look into the spam folder."),
        Entry(
            "too_many_resends", .tooManyRequests, "Too many codes", cause: "No more codes are sent for this flow.",
            remedy: "Start again."),
        Entry(
            "throttled", .tooManyRequests, "Slow down",
            cause: "Too many attempts for this name, from this address or by this client.",
            remedy: "Wait for `Retry-After`. A device that signed in before is let through."),
        Entry(
            "claims_unavailable", .serviceUnavailable, "The service is unavailable for a moment",
            cause:
                "The claims service of the app gives no usable answer, and the app wants no token without it; the log has the reason.",
            remedy: "Begin the sign-in again after `Retry-After`; a refresh token is still good."),
        Entry(
            "challenge_unavailable", .serviceUnavailable, "The challenge is unavailable for a moment",
            cause: "The webhook of the custom challenge gives no usable answer; the log has the reason.",
            remedy: "Send the same answer again after `Retry-After`, or choose another factor: nothing is lost."),
        Entry(
            "delivery_unavailable", .serviceUnavailable, "The message can't be sent",
            cause: "Nothing sends messages of this kind here, such as text messages.",
            remedy: "Take another way; the operator's `SMS_SENDER` says what there is."),
        Entry(
            "delivery_refused", .unprocessableContent, "The address is refused",
            cause: "The mail server, or whoever sends text messages, refuses this address or number for good.",
            remedy: "Check it for a slip of the finger, or take another one."),
        Entry(
            "country_not_served", .unprocessableContent, "No text messages go to this country",
            cause: "The number's calling code is not in the operator's list.",
            remedy: "Take another way; the operator's `SMS_COUNTRIES` lists the codes."),
    ]
}
