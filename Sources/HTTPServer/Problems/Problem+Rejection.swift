import HTTPTypes
import JSON
import Sessions
package import Vocabulary
import WebAuthn

/// The core's refusals as problems of this door.
///
/// Status and title come from ``ErrorCatalogue``. This file adds the details of single refusals.
extension Problem {
    /// - Parameter call: names the places of the fields; nil for fields of the body itself.
    package init(_ rejection: Rejection, in call: DoorCall? = nil) {
        guard let entry = ErrorCatalogue[rejection.code] else {
            self = .internalError
            return
        }
        self.init(
            entry.status, code: entry.code, title: entry.title, detail: rejection.detail,
            retryAfter: rejection.retryAfter,
            errors: rejection.items(
                under: call?.fieldsUnder ?? "", newPassword: call?.newPasswordField ?? .newPassword),
            headers: rejection.challenge, extensions: rejection.extensions)
    }
}

extension Rejection {
    fileprivate var detail: String? {
        switch self {
        case .codeWrong(let left, _): "\(left) \(left == 1 ? "try is" : "tries are") left."
        // The SDK of the app may have made the nonce: its call that takes ours is the only way on.
        case .credential where code == "nonce_missing": ErrorCatalogue[code]?.remedy
        case .clientDocumentRefused(let reason): "The client document can't be used: \(reason)."
        case .assertionInvalid(let reason): "The assertion is refused: \(reason)."
        case .passwordTooShort(let minimum): "At least \(minimum) characters are needed."
        case .clientUnknown(let sent?): "No enabled client has the id \(sent)."
        case .providerUnknown(let sent?, let offered):
            "\(sent) is no configured provider. \(Self.offer(offered))"
        case .providerNotAllowed(let sent?, let offered): "\(sent) is not offered. \(Self.offer(offered))"
        case .redirectNotAllowed(let sent?, _): "The client has not registered \(sent)."
        case .targetInvalid(let sent?): "The client can't get a token for \(sent)."
        case .scopeInvalid(let sent?): "Not granted: \(sent)."
        default: nil
        }
    }

    private static func offer(_ methods: [String]) -> String {
        "The client offers: \(methods.isEmpty ? "nothing" : methods.joined(separator: ", "))."
    }

    /// In seconds.
    package var retryAfter: Int? {
        switch self {
        case .providerUnavailable(let seconds), .throttled(let seconds), .overloaded(let seconds),
            .databaseUnavailable(let seconds), .outcomeUnknown(let seconds),
            .resendTooSoon(let seconds):
            max(seconds, 1)
        case .claimsUnavailable, .challengeUnavailable: 5
        case .deliveryUnavailable: 30
        // The time until the address may receive the next message.
        case .tooManyResends: Throttles.destinationPeriodMilliseconds / 1_000
        default: nil
        }
    }

    fileprivate func items(under place: String, newPassword: RequestField) -> [Problem.Item] {
        switch self {
        case .invalidField(let field, let fault):
            [.invalid(place + field.pointer, fault.rawValue, accepted: fault.accepted)]
        case .attributesInvalid(let faults):
            faults.map { .invalid(place + $0.pointer, $0.fault.rawValue, accepted: $0.fault.accepted) }
        case .passwordTooShort, .passwordTooLong, .passwordCommon, .passwordContainsAddress, .passwordUnchanged:
            [
                Problem.Item(
                    pointer: place + newPassword.pointer, code: code, detail: ErrorCatalogue[code]?.title ?? code)
            ]
        case .passkeyRefused(let reason): [.invalid(place + RequestField.passkey.pointer, reason.rawValue)]
        case .passwordRejected(let faults): faults.map { .invalid(place + newPassword.pointer, $0) }
        case .attributesRejected(let names):
            names.map {
                Problem.Item(
                    pointer: place + RequestField.attributes.pointer(of: $0), code: "rejected",
                    detail: "was not taken")
            }
        // As in the admin API: the parts of the account that changed since.
        case .undoBlocked(let parts): parts.map { Problem.Item(pointer: "", code: $0, detail: "has changed since") }
        default: []
        }
    }

    fileprivate var extensions: JSONObject {
        switch self {
        case .identityInUse(let ticket?): ["merge_ticket": .string(ticket)]
        case .botCheckRequired(let widget), .botCheckFailed(let widget):
            ["widget": .string(widget.kind.rawValue), "site_key": .string(widget.siteKey)]
        case .sessionEnded(let reason?): ["reason": .string(reason.rawValue)]
        default: [:]
        }
    }

    /// The challenge of RFC 6750 §3 for a bearer token, or of RFC 6749 §5.2 for the client's credentials.
    fileprivate var challenge: HTTPFields {
        switch self {
        case .tokenMissing: [.wwwAuthenticate: "Bearer realm=\"login-gateway\""]
        case .tokenInvalid, .tokenMalformed, .tokenExpired, .sessionEnded, .cookieMalformed:
            [.wwwAuthenticate: "Bearer realm=\"login-gateway\", error=\"invalid_token\""]
        case .clientAuthenticationFailed: [.wwwAuthenticate: "Basic realm=\"login-gateway\""]
        case .keyProofInvalid: [.wwwAuthenticate: Self.keyProofChallenge("invalid_dpop_proof")]
        case .keyProofNonceDue(let nonce):
            [.wwwAuthenticate: Self.keyProofChallenge("use_dpop_nonce"), .keyProofNonce: nonce]
        default: [:]
        }
    }
}

extension Rejection {
    /// RFC 9449 §7.1.
    private static func keyProofChallenge(_ error: String) -> String {
        "DPoP error=\"\(error)\", algs=\"\(KeyProofs.algorithms.joined(separator: " "))\""
    }
}

extension Problem.Item {
    /// - Parameter accepted: what the place may have; the detail lists it.
    package static func invalid(_ pointer: String, _ reason: String, accepted: [String] = []) -> Problem.Item {
        let choice = accepted.isEmpty ? "" : "; accepted: \(accepted.joined(separator: ", "))"
        return Problem.Item(pointer: pointer, code: reason, detail: words(reason) + choice)
    }

    fileprivate static func words(_ reason: String) -> String {
        switch reason {
        case "required": "is required"
        case "not_an_email_address": "must be an e-mail address"
        default: reason.split(separator: "_").joined(separator: " ")
        }
    }
}
