import Clients
import Foundation
import HTTPServer
import JSON
import Sessions

/// The answer of the token endpoint; MSAL needs each member.
enum NativeAuthTokens {
    static let defaultScope = "openid profile offline_access"

    /// - Parameter scope: the scope that an earlier call named, which the answer's stays within; nil for none.
    static func json(_ session: IssuedSession, _ call: NativeAuthCall, within scope: String? = nil) -> JSONObject {
        let info: JSON = ["uid": .string(session.account.text), "utid": .string(call.app.tenantID)]
        var answer: JSONObject = [
            "token_type": "Bearer", "scope": .string(granted(call.form["scope"] ?? scope ?? defaultScope, scope)),
            "expires_in": .integer(session.accessTokenLife), "ext_expires_in": .integer(session.accessTokenLife),
            "access_token": .string(session.accessToken), "refresh_token": .string(session.refreshToken),
            "client_info": .string(base64URL(info)),
        ]
        answer["id_token"] = session.idToken.map(JSON.string)
        return answer
    }

    private static func granted(_ asked: String, _ scope: String?) -> String {
        guard let scope else { return asked }
        let allowed = Set(scope.split(separator: " "))
        return asked.split(separator: " ").filter(allowed.contains).joined(separator: " ")
    }

    /// Without padding (RFC 4648 §5).
    private static func base64URL(_ json: JSON) -> String {
        Data(json.bytes()).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
