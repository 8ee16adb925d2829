package import Accounts
import Providers

/// The ways on which messages leave.
package enum Medium: String, Sendable, CaseIterable {
    case email, sms
}

/// Where a message goes.
package enum Destination: Sendable, Equatable {
    case email(EmailAddress)
    case phone(PhoneNumber)

    package var medium: Medium {
        switch self {
        case .email: .email
        case .phone: .sms
        }
    }

    /// The address or number as it is written.
    package var text: String {
        switch self {
        case .email(let address): address.text
        case .phone(let number): number.text
        }
    }

    /// Whether a provider made the address up, and the person may switch it off there.
    var isRelay: Bool {
        guard case .email(let address) = self else { return false }
        return ExternalEmail(address: address.text, authority: .unverified).map(\.isOfRelayDomain) ?? false
    }

    /// As a stranger may see it.
    package var masked: String {
        switch self {
        case .email(let address): address.masked
        case .phone(let number): number.masked
        }
    }

    /// Nil for what is no address of the medium.
    init?(_ medium: Medium, _ text: String) {
        switch medium {
        case .email:
            guard let address = EmailAddress(text) else { return nil }
            self = .email(address)
        case .sms:
            guard let number = PhoneNumber(text) else { return nil }
            self = .phone(number)
        }
    }
}
