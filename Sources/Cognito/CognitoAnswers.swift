import JSON
import Messages
import Sessions
import SignIn

/// Answers in the shapes of the API.
enum CognitoAnswers {
    /// `AuthenticationResult`.
    ///
    /// - Parameters:
    ///   - refreshToken: nil for a refresh that keeps the token.
    ///   - newDevice: `NewDeviceMetadata`.
    static func tokens(
        _ session: IssuedSession, refreshToken: String?, newDevice: JSON? = nil
    ) -> JSONObject {
        var result: JSONObject = [
            "AccessToken": .string(session.accessToken), "ExpiresIn": .integer(session.accessTokenLife),
            "TokenType": "Bearer",
        ]
        result["IdToken"] = session.idToken.map(JSON.string)
        result["RefreshToken"] = refreshToken.map(JSON.string)
        result["NewDeviceMetadata"] = newDevice
        return ["AuthenticationResult": .object(result), "ChallengeParameters": [:]]
    }

    /// `CodeDeliveryDetails`.
    static func delivery(_ sent: SentCode) -> JSON {
        let isText = sent.medium == .sms
        return [
            "Destination": .string(sent.destination), "DeliveryMedium": isText ? "SMS" : "EMAIL",
            "AttributeName": isText ? "phone_number" : "email",
        ]
    }

    /// A list of `{Name, Value}`.
    static func attributes(_ attributes: [(name: String, value: String)]) -> JSON {
        .array(attributes.map { ["Name": .string($0.name), "Value": .string($0.value)] })
    }
}
