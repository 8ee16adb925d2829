import HTTPTypes

/// The entries by subject. A code never changes its meaning; one that is no longer used is kept.
extension ErrorCatalogue {
    private static let refused = "The credential was not accepted"

    static let requests: [Entry] = [
        Entry(
            "malformed_request", .badRequest, "Malformed request",
            cause: "The body is no acceptable JSON text or form: not UTF-8, cut off, a name twice, nested too deeply.",
            remedy: "`errors[].pointer` and the offset say where. Send one strict JSON object."),
        Entry(
            "invalid_request", .badRequest, "Invalid request",
            cause: "A member is missing, of the wrong type or of an impossible value.",
            remedy: "`errors[].pointer` names the member."),
        Entry(
            "bad_request", .badRequest, "Bad request", cause: "The HTTP request itself can't be understood.",
            remedy: "Check the request line and the headers."),
        Entry(
            "body_too_large", .contentTooLarge, "Body too large", cause: "The body has more than 65,536 bytes.",
            remedy: "Send less; no call needs as much."),
        Entry(
            "body_too_slow", .requestTimeout, "Body too slow",
            cause: "The body came too slowly. One that stops altogether ends the connection after 30 seconds.",
            remedy: "Send it at once; check the connection."),
        Entry(
            "unsupported_media_type", .unsupportedMediaType, "Unsupported media type",
            cause: "`Content-Type` is not the one of this call.",
            remedy: "`application/json`, or `application/x-www-form-urlencoded` for introspection and revocation."),
        Entry(
            "transfer_coding_unsupported", .notImplemented, "Transfer coding not supported",
            cause: "`Transfer-Encoding` is something else than `chunked` alone.",
            remedy: "Send the body with `Content-Length`, or chunked."),
        Entry(
            "not_found", .notFound, "Not found",
            cause: "There is nothing at this path, or the thing named is not this account's.",
            remedy: "Check the path and the id."),
        Entry(
            "method_not_allowed", .methodNotAllowed, "Method not allowed",
            cause: "The path exists and does not take this method.", remedy: "`Allow` lists those it takes."),
        Entry(
            "origin_not_allowed", .forbidden, "Origin not allowed",
            cause: "A browser asked from an origin that no client has registered.",
            remedy: "Add the origin to the client (`CLIENT_ORIGINS` for the first one)."),
        Entry(
            "client_unknown", .badRequest, "Unknown client", cause: "`client_id` names no client, or a disabled one.",
            remedy: "Use a registered client id; the first one is `CLIENT_ID`."),
        Entry(
            "invalid_client", .unauthorized, "Client authentication failed",
            cause: "The call needs the client's own id and secret and they are missing or wrong.",
            remedy:
                "HTTP Basic with id and secret, or `client_id` and `client_secret` in the form. Without a secret nobody introspects; a public client gets and revokes tokens by its `client_id` alone, without the secret of its back end."
        ),
    ]

    static let reports: [Entry] = [
        Entry(
            "report_not_signed", .unauthorized, "The report is not signed",
            cause: "`Gateway-Signature` or `X-Twilio-Signature` is missing or doesn't fit the body.",
            remedy: "Sign the bytes of the body as [delivery.md](delivery.md#bounces) says; check secret and address."),
        Entry(
            "report_out_of_time", .unauthorized, "The report is out of time",
            cause: "The report was signed more than five minutes ago, or ahead of our clock.",
            remedy: "Sign each try anew; check the clocks."),
    ]

    static let credentials: [Entry] = [
        Entry(
            "token_missing", .badRequest, "Invalid request", cause: "The credential holds no token.",
            remedy: "Post the provider's token in the member that `docs/providers/` names."),
        Entry(
            "token_too_large", .badRequest, "Invalid request", cause: "The token is longer than any real one.",
            remedy: "Post the token itself, not a page or a dump."),
        Entry(
            "token_malformed", .badRequest, "Invalid request",
            cause: "No compact JWS: wrong number of parts, padding, blanks, non-canonical base64url.",
            remedy: "Post the token exactly as the provider's SDK gave it."),
        Entry(
            "json_malformed", .badRequest, "Invalid request",
            cause: "Header or payload is no strict JSON object: a name twice, not UTF-8, nested too deeply.",
            remedy: "Post the token exactly as the provider's SDK gave it."),
        Entry(
            "algorithm_not_allowed", .unauthorized, refused,
            cause: "The token's `alg` is not the one configured for the provider.",
            remedy: "Use a token of the provider; for your own issuer set `OIDC_<ID>_ALGORITHMS`."),
        Entry(
            "header_unsupported", .unauthorized, refused,
            cause: "The header demands an extension (`crit`, `b64`, `zip`, encryption).",
            remedy: "Use the provider's plain signed token."),
        Entry(
            "wrong_token_type", .unauthorized, refused,
            cause: "Another kind of token: an access token, a logout token, a notification.",
            remedy: "Post the ID token."),
        Entry(
            "key_id_malformed", .unauthorized, refused, cause: "`kid` is missing or no string.",
            remedy: "Use a token of the provider."),
        Entry(
            "key_unknown", .unauthorized, refused,
            cause: "The provider publishes no such key: a look since the token came has not found it.",
            remedy: "Get a fresh token; check that issuer and environment are the configured ones."),
        Entry(
            "signature_invalid", .unauthorized, refused, cause: "The signature does not hold.",
            remedy: "Get a fresh token; check that nothing changes it on its way."),
        Entry(
            "issuer_not_allowed", .unauthorized, refused, cause: "`iss` is not the configured issuer.",
            remedy: "Name the right `provider`; check tenant, pool and region in the configuration."),
        Entry(
            "audience_mismatch", .unauthorized, refused, cause: "The token was made for another app.",
            remedy: "Add the app's client id to the provider's `*_CLIENT_IDS`, if it is yours."),
        Entry(
            "audience_flow_mismatch", .unauthorized, refused,
            cause: "A token of another kind of client of yours, such as the web one.",
            remedy: "Use the native client's token here."),
        Entry(
            "authorized_party_mismatch", .unauthorized, refused,
            cause: "`azp` is neither the client nor a listed party.",
            remedy: "List the app in `OIDC_<ID>_AUTHORIZED_PARTIES`, if it is yours."),
        Entry(
            "claim_type", .unauthorized, refused, cause: "A claim is missing or of the wrong type or range.",
            remedy: "Use the provider's own token."),
        Entry(
            "expired", .unauthorized, refused, cause: "The provider's token is over.",
            remedy: "Get a fresh token and post it at once."),
        Entry(
            "issued_at_invalid", .unauthorized, refused, cause: "`iat` is missing or lies in the future.",
            remedy: "Check the clocks; 60 s are forgiven."),
        Entry(
            "not_yet_valid", .unauthorized, refused, cause: "`nbf` lies in the future.",
            remedy: "Check the clocks; 60 s are forgiven."),
        Entry(
            "too_old", .unauthorized, refused, cause: "The token was made too long ago for a sign-in.",
            remedy: "Post it right after the provider gave it."),
        Entry(
            "lifetime_too_long", .unauthorized, refused,
            cause: "The token claims a longer life than the provider gives.", remedy: "Use the provider's own token."),
        Entry(
            "subject_invalid", .unauthorized, refused, cause: "The token names nobody.",
            remedy: "Use the provider's own token; Microsoft needs the scope `profile` for `oid`."),
        Entry(
            "tenant_not_allowed", .unauthorized, refused, cause: "The Microsoft tenant is not in the allow-list.",
            remedy: "Add it to `MICROSOFT_TENANT_IDS`, if it is yours."),
        Entry(
            "domain_not_allowed", .unauthorized, refused, cause: "The hosted domain is not the required one.",
            remedy: "Sign in with an account of the domain."),
        Entry(
            "app_mismatch", .unauthorized, refused, cause: "The Amazon token belongs to another security profile.",
            remedy: "Check `AMAZON_APP_ID`."),
        Entry(
            "subject_mismatch", .unauthorized, refused, cause: "Two answers of the provider name two people.",
            remedy: "Sign in again; tell the operator if it stays."),
        Entry(
            "code_invalid", .unauthorized, refused,
            cause: "The authorization code was used, is over, or is another client's.",
            remedy: "Start one fresh sign-in."),
        Entry(
            "code_token_mismatch", .unauthorized, refused, cause: "Code and token are of two people or two apps.",
            remedy: "Post both from one sign-in."),
        Entry(
            "upstream_invalid_token", .unauthorized, refused,
            cause: "The provider does not know the token, or no longer.", remedy: "Get a fresh token."),
        Entry(
            "token_replayed", .unauthorized, refused, cause: "The token was used to sign in before.",
            remedy: "Each provider token is good once: get a fresh one."),
    ]

    static let nonces: [Entry] = [
        Entry(
            "nonce_missing", .unauthorized, refused,
            cause: "The token carries a nonce that was not posted, or a nonce is required.",
            remedy: "Post the raw nonce of `POST /v1/nonce` with the token."),
        Entry(
            "nonce_mismatch", .unauthorized, refused,
            cause: "The token's nonce is another one (Apple: the SHA-256 of it in lower-case hex).",
            remedy: "Hand the provider the nonce that you post, hashed for Apple."),
        Entry(
            "nonce_absent", .unauthorized, refused, cause: "A nonce was posted and the token carries none.",
            remedy: "Hand the nonce to the provider's SDK before the sign-in."),
        Entry(
            "nonce_unknown", .unauthorized, refused, cause: "The nonce is not one of this server's.",
            remedy: "Take it from `POST /v1/nonce`."),
        Entry(
            "nonce_expired", .unauthorized, refused, cause: "The nonce is older than 10 minutes.",
            remedy: "Take a fresh one for each attempt."),
        Entry(
            "nonce_used", .unauthorized, refused, cause: "The nonce was used before.",
            remedy: "Take a fresh one for each attempt."),
    ]

    static let providers: [Entry] = [
        Entry(
            "provider_unknown", .badRequest, "Unknown provider", cause: "`provider` names none that is configured.",
            remedy: "Use a configured provider's id."),
        Entry(
            "provider_not_allowed", .forbidden, "Provider not allowed",
            cause:
                "The client may not use this provider, or the client is for administration and a provider's token was brought to it.",
            remedy:
                "Add it to the client's providers (`CLIENT_PROVIDERS` for the first one); sign in to administration on the hosted page."
        ),
        Entry(
            "provider_unavailable", .serviceUnavailable, "The provider can't be reached",
            cause: "The provider is down, slow, or answers nonsense.",
            remedy: "Try again after `Retry-After`; other ways in are unharmed."),
        Entry(
            "provider_misconfigured", .internalServerError, "The provider refuses this server",
            cause: "The provider does not accept our own credentials, or wants a browser where none can be sent to it.",
            remedy: "The operator's log names the reason; check ids, keys, secrets and redirect addresses."),
    ]

    static let service: [Entry] = [
        Entry(
            "overloaded", .serviceUnavailable, "Overloaded", cause: "More is being asked than can be done at once.",
            remedy: "Try again after `Retry-After`, with growing pauses."),
        Entry(
            "deadline_exceeded", .serviceUnavailable, "Deadline exceeded",
            cause: "The request took too long and was stopped.", remedy: "Try again after `Retry-After`."),
        Entry(
            "database_unavailable", .serviceUnavailable, "Not available",
            cause: "The database can't be reached, or takes no changes.",
            remedy: "Try again after `Retry-After`; nothing acknowledged is lost."),
        Entry(
            "clock_wrong", .serviceUnavailable, "Not available",
            cause: "This server's clock and the database's differ by more than `CLOCK_LIMIT_SECONDS`.",
            remedy: "Try again after `Retry-After`; the operator sets the clocks."),
        Entry(
            "outcome_unknown", .serviceUnavailable, "May have been committed",
            cause: "The database did not confirm the change: it may have been committed.",
            remedy:
                "Look before you repeat it: after `Retry-After`, read what was to be changed, or send the same again."),
        Entry(
            "internal_error", .internalServerError, "Something went wrong on our side", cause: "A mistake of ours.",
            remedy: "Give `request_id` to the operator: it names the log lines."),
    ]
}
