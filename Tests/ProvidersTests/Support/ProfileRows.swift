import Outbound
import TestSupport

/// JSON values that are not a canonical positive decimal text.
let badDecimals = [
    "583231", "0", "-1", "1.5", "null", "[]", "true", #""""#, "{}", #""0""#, #""-1""#, #""01""#, #""1.5""#, #""1e3""#,
    #"" 1""#, #""१२""#, #""ann""#, #""123456789012345678901""#,
]

/// Access tokens with illegal header characters.
let unsendableTokens = ["", "a b", "a\r\nX: y", "caf\u{e9}", String(repeating: "t", count: 4_097)]

/// The failures of an API that cannot provide a profile.
let apiTroubles: [Result<HTTPResponse, TransferError>] = [
    .failure(.timedOut), .failure(.redirectRefused), .failure(.connectFailed), .success(.html),
    .success(.json("", status: 500)), .success(.json("{}", status: 429)), .success(.json("not json")),
    .success(.json("7")), .success(.json("[]")), .success(.json("{}", status: 302)), .success(.json("{}", status: 403)),
    .success(.json("{}", status: 404)), .success(.json("{\"a\":\"" + String(repeating: "a", count: 70_000) + "\"}")),
]
