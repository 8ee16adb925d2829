import Cryptography
import FoundationEssentials
import JSON

extension PoolUser {
    /// The destination of codes of one kind, masked in Cognito's way.
    func destination(_ medium: String) -> String? {
        if medium == "SMS" { return attributes["phone_number"].map { "+*******" + $0.suffix(4) } }
        guard let parts = attributes["email"]?.split(separator: "@"), parts.count == 2 else { return nil }
        return "\(parts[0].prefix(1))***@\(parts[1].prefix(1))***"
    }

    /// `CodeDeliveryDetails`; the phone comes first, as it does at Cognito.
    var delivery: JSONObject? {
        for (medium, attribute) in [("SMS", "phone_number"), ("EMAIL", "email")] {
            guard let destination = destination(medium) else { continue }
            return [
                "Destination": .string(destination), "DeliveryMedium": .string(medium),
                "AttributeName": .string(attribute),
            ]
        }
        return nil
    }

    mutating func sendCode(for purpose: String) -> String {
        let code = OneTimeCode.sixDigits(.system)
        codes[purpose] = code
        return code
    }

    /// Spends a code that was sent for a purpose.
    mutating func spend(_ code: String, for purpose: String) throws(Refusal) {
        guard !isLimited else { throw .limitExceeded }
        guard let sent = codes[purpose] else { throw .noCode }
        guard sent.hasSameBytes(as: code) else { throw .wrongCode }
        codes[purpose] = nil
    }

    /// Spends a code of the authenticator app, from this 30-second step or its neighbours.
    mutating func spend(totp code: String, secret: String, at now: Date) throws(Refusal) {
        let counter = AuthenticatorCode.counter(at: now)
        let fitting = (counter - 1...counter + 1).first { AuthenticatorCode.code(secret, $0).hasSameBytes(as: code) }
        guard let fitting else { throw .wrongSecondFactor }
        guard fitting > totpCounterUsed ?? 0 else {
            throw .userPool("ExpiredCodeException", "Your software token has already been used once.")
        }
        totpCounterUsed = fitting
    }
}
