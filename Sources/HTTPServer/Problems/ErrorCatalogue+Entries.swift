import HTTPTypes

/// The entries by subject.
///
/// A code never changes its meaning. The catalogue keeps unused codes.
extension ErrorCatalogue {
    private static let refused = "The credential was not accepted"

    static let requests: [Entry] = [
        Entry(
            "malformed_request", .badRequest, "Malformed request",
            cause:
                "The body is not valid JSON or not a valid form: not UTF-8, incomplete, a repeated name, or nested too deeply.",
            remedy: "`errors[].pointer` and the offset show the place. Send one strict JSON object."),
        Entry(
            "invalid_request", .badRequest, "Invalid request",
            cause: "A member is missing, has the wrong type, or has an invalid value.",
            remedy: "`errors[].pointer` names the member."),
        Entry(
            "bad_request", .badRequest, "Bad request", cause: "The HTTP request is malformed.",
            remedy: "Check the request line and the headers."),
        Entry(
            "headers_too_large", .requestHeaderFieldsTooLarge, "Headers too large",
            cause: "The header fields have more than 16,384 bytes, or there are more than 100 of them.",
            remedy: "Send fewer cookies and fields; in a browser, delete the cookies of this site."),
        Entry(
            "body_too_large", .contentTooLarge, "Body too large", cause: "The body has more than 65,536 bytes.",
            remedy: "Send less; every call fits."),
        Entry(
            "body_too_slow", .requestTimeout, "Body too slow",
            cause: "The body arrived too slowly. A body that stops arriving ends the connection after 30 seconds.",
            remedy: "Send the body without pauses; check the connection."),
        Entry(
            "unsupported_media_type", .unsupportedMediaType, "Unsupported media type",
            cause: "`Content-Type` is not the type of this call.",
            remedy: "`application/json`, or `application/x-www-form-urlencoded` for introspection and revocation."),
        Entry(
            "transfer_coding_unsupported", .notImplemented, "Transfer coding not supported",
            cause: "`Transfer-Encoding` is not `chunked` alone.",
            remedy: "Send the body with `Content-Length`, or chunked."),
        Entry(
            "not_found", .notFound, "Not found",
            cause: "The path doesn't exist, or the named item doesn't belong to this account.",
            remedy: "Check the path and the id."),
        Entry(
            "method_not_allowed", .methodNotAllowed, "Method not allowed",
            cause: "The path exists, but not for this method.", remedy: "`Allow` lists the methods."),
        Entry(
            "origin_not_allowed", .forbidden, "Origin not allowed",
            cause: "A browser sent the request from an origin that no client has registered.",
            remedy:
                "Add it with `gateway clients change APP --add-origin ORIGIN`, or on the app's page of the console (`/admin/clients`)."
        ),
        Entry(
            "speculative_request", .forbidden, "Nobody asked for this yet",
            cause:
                "A browser announces a prefetch, a prerender or a preview (`Sec-Purpose`, `Purpose`, `X-Purpose`, `X-Moz`), or HEAD asks for an address where GET has an effect.",
            remedy: "Nothing: the browser asks again when the person follows the link. A program sends GET."),
        Entry(
            "client_unknown", .badRequest, "Unknown client",
            cause: "`client_id` is unknown, or the client is disabled.",
            remedy: "Use a registered client id: `gateway clients list` and the console (`/admin/clients`) show them."),
        Entry(
            "invalid_client", .unauthorized, "Client authentication failed",
            cause: "The call needs the client's id and secret, and they are missing or wrong.",
            remedy:
                "HTTP Basic with id and secret, or `client_id` and `client_secret` in the form. Introspection always needs a secret. A public client gets and revokes tokens by its `client_id` alone, without its back end's secret."
        ),
    ]

    static let reports: [Entry] = [
        Entry(
            "report_not_signed", .unauthorized, "The report is not signed",
            cause: "`Gateway-Signature` or `X-Twilio-Signature` is missing or doesn't match the body.",
            remedy:
                "Sign the bytes of the body as described in [delivery.md](delivery.md#bounces); check secret and address."
        ),
        Entry(
            "report_out_of_time", .unauthorized, "The report is out of time",
            cause: "The report was signed more than five minutes ago, or in the future.",
            remedy: "Sign each attempt again; check the clocks."),
    ]

    package static let credentials: [Entry] = [
        Entry(
            "token_missing", .badRequest, "Invalid request", cause: "The credential contains no token.",
            remedy: "Post the provider's token in the member that `docs/providers/` names."),
        Entry(
            "token_too_large", .badRequest, "Invalid request", cause: "The token is longer than any valid one.",
            remedy: "Post only the token."),
        Entry(
            "token_malformed", .badRequest, "Invalid request",
            cause: "Not a compact JWS: wrong number of parts, padding, blanks, non-canonical base64url.",
            remedy: "Post the token exactly as the provider's SDK returned it."),
        Entry(
            "json_malformed", .badRequest, "Invalid request",
            cause: "Header or payload is not a strict JSON object: a repeated name, not UTF-8, nested too deeply.",
            remedy: "Post the token exactly as the provider's SDK returned it."),
        Entry(
            "algorithm_not_allowed", .unauthorized, refused,
            cause: "The token's `alg` is not configured for the provider.",
            remedy: "Use a token of the provider; for your own issuer set `OIDC_<ID>_ALGORITHMS`."),
        Entry(
            "header_unsupported", .unauthorized, refused,
            cause: "The header requires an extension (`crit`, `b64`, `zip`, encryption).",
            remedy: "Use the provider's plain signed token."),
        Entry(
            "wrong_token_type", .unauthorized, refused,
            cause: "Another type of token: an access token, a logout token, a notification.",
            remedy: "Post the ID token."),
        Entry(
            "key_id_malformed", .unauthorized, refused, cause: "`kid` is missing or not a string.",
            remedy: "Use a token of the provider."),
        Entry(
            "key_unknown", .unauthorized, refused,
            cause: "The provider doesn't publish the key; its keys were read again after the token arrived.",
            remedy: "Get a fresh token; check the configured issuer and environment."),
        Entry(
            "signature_invalid", .unauthorized, refused, cause: "The signature is wrong.",
            remedy: "Get a fresh token; check that nothing changes it on its way."),
        Entry(
            "issuer_not_allowed", .unauthorized, refused, cause: "`iss` is not the configured issuer.",
            remedy: "Name the right `provider`; check tenant, pool and region in the configuration."),
        Entry(
            "audience_mismatch", .unauthorized, refused, cause: "The token was made for another app.",
            remedy: "Add the app's client id to the provider's `*_CLIENT_IDS`, if it is yours."),
        Entry(
            "audience_flow_mismatch", .unauthorized, refused,
            cause: "The token was issued for another type of client of yours, such as the web client.",
            remedy: "Use the native client's token here."),
        Entry(
            "authorized_party_mismatch", .unauthorized, refused,
            cause: "`azp` is neither the client nor an authorized party.",
            remedy: "List the app in `OIDC_<ID>_AUTHORIZED_PARTIES`, if it is yours."),
        Entry(
            "claim_type", .unauthorized, refused, cause: "A claim is missing or of the wrong type or range.",
            remedy: "Use the provider's own token."),
        Entry(
            "expired", .unauthorized, refused, cause: "The provider's token has expired.",
            remedy: "Get a fresh token and post it at once."),
        Entry(
            "issued_at_invalid", .unauthorized, refused, cause: "`iat` is missing or in the future.",
            remedy: "Check the clocks; 60 s are tolerated."),
        Entry(
            "not_yet_valid", .unauthorized, refused, cause: "`nbf` is in the future.",
            remedy: "Check the clocks; 60 s are tolerated."),
        Entry(
            "too_old", .unauthorized, refused, cause: "The token was issued too long ago for a sign-in.",
            remedy: "Post it right after the provider issued it."),
        Entry(
            "lifetime_too_long", .unauthorized, refused,
            cause: "The token's lifetime is longer than the provider's tokens have.",
            remedy: "Use the provider's own token."),
        Entry(
            "subject_invalid", .unauthorized, refused, cause: "The token has no valid subject.",
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
            "subject_mismatch", .unauthorized, refused, cause: "Two answers of the provider have different subjects.",
            remedy: "Sign in again; contact the operator if it happens again."),
        Entry(
            "code_invalid", .unauthorized, refused,
            cause: "The authorization code was used, has expired, or belongs to another client.",
            remedy: "Start a new sign-in."),
        Entry(
            "code_token_mismatch", .unauthorized, refused,
            cause: "Code and token have different subjects or audiences.",
            remedy: "Post both from one sign-in."),
        Entry(
            "upstream_invalid_token", .unauthorized, refused,
            cause: "The provider doesn't accept the token, or no longer.", remedy: "Get a fresh token."),
        Entry(
            "token_replayed", .unauthorized, refused, cause: "The token was used to sign in before.",
            remedy: "Each provider token works once: get a fresh one."),
    ]

    package static let nonces: [Entry] = [
        Entry(
            "nonce_missing", .unauthorized, refused,
            cause: "The token contains a nonce that was not posted, or a nonce is required.",
            remedy:
                "Post the raw nonce of `POST /v1/nonce` with the token. Give it to the SDK first: Google's on iOS takes it in `GIDSignIn.signIn(withPresenting:hint:additionalScopes:nonce:)`, Facebook's in `LoginConfiguration(permissions:tracking:nonce:)`. For an SDK that takes none, let the app accept foreign nonces (`foreign_nonces`)."
        ),
        Entry(
            "nonce_mismatch", .unauthorized, refused,
            cause: "The token contains another nonce (Apple: its SHA-256 in lower-case hex).",
            remedy: "Give the provider the nonce that you post, hashed for Apple."),
        Entry(
            "nonce_absent", .unauthorized, refused, cause: "A nonce was posted, and the token contains none.",
            remedy: "Give the nonce to the provider's SDK before the sign-in."),
        Entry(
            "nonce_unknown", .unauthorized, refused, cause: "This server did not issue the nonce.",
            remedy: "Take it from `POST /v1/nonce`."),
        Entry(
            "nonce_expired", .unauthorized, refused, cause: "The nonce is older than 10 minutes.",
            remedy: "Get a new one for each attempt."),
        Entry(
            "nonce_used", .unauthorized, refused, cause: "The nonce was used before.",
            remedy: "Get a new one for each attempt."),
    ]

    static let providers: [Entry] = [
        Entry(
            "provider_unknown", .badRequest, "Unknown provider", cause: "`provider` is not configured.",
            remedy: "Use a configured provider's id."),
        Entry(
            "provider_not_allowed", .forbidden, "Provider not allowed",
            cause:
                "The client may not use this provider; or it is a client for administration, which accepts no provider token.",
            remedy:
                "Add it with `gateway clients change APP --add-provider ID`, or on the app's page of the console (`/admin/clients`). Sign in to administration on the hosted page."
        ),
        Entry(
            "guests_not_allowed", .forbidden, "Guests not allowed",
            cause:
                "The client accepts no sign-in without a credential; or it requires a second factor, or is one for administration.",
            remedy:
                "Allow guests with `gateway clients change APP --guests true`, or on the app's page of the console (`/admin/clients`). Or sign in with a credential."
        ),
        Entry(
            "provider_unavailable", .serviceUnavailable, "The provider can't be reached",
            cause:
                "The provider, or the address of a client's keys (`jwks_uri`), is down, slow, or sends invalid answers.",
            remedy: "Try again after `Retry-After`; other sign-in methods work."),
        Entry(
            "provider_misconfigured", .internalServerError, "The provider refuses this server",
            cause: "The provider refuses our credentials, or requires a browser where none is available.",
            remedy: "The operator's log has the reason; check ids, keys, secrets and redirect addresses."),
    ]

    static let service: [Entry] = [
        Entry(
            "overloaded", .serviceUnavailable, "Overloaded", cause: "The server has more requests than it can answer.",
            remedy: "Try again after `Retry-After`, with growing pauses."),
        Entry(
            "deadline_exceeded", .serviceUnavailable, "Deadline exceeded",
            cause: "The request took too long and was stopped.", remedy: "Try again after `Retry-After`."),
        Entry(
            "database_unavailable", .serviceUnavailable, "Not available",
            cause: "The database is unreachable, or refuses changes.",
            remedy: "Try again after `Retry-After`; acknowledged changes are safe."),
        Entry(
            "clock_wrong", .serviceUnavailable, "Not available",
            cause: "This server's clock and the database's differ by more than `CLOCK_LIMIT_SECONDS`.",
            remedy: "Try again after `Retry-After`; the operator sets the clocks."),
        Entry(
            "outcome_unknown", .serviceUnavailable, "May have been committed",
            cause: "The database did not confirm the change: it may have been committed.",
            remedy:
                "Check before you repeat it: after `Retry-After`, read the item, or send the same request again."),
        Entry(
            "internal_error", .internalServerError, "Something went wrong on our side",
            cause: "An error in the gateway.",
            remedy: "Give `request_id` to the operator: it names the log lines."),
    ]
}
