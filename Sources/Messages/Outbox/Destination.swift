import Providers
package import Vocabulary

/// The media of messages.
package enum Medium: String, Codable, Sendable, CaseIterable {
    case email, sms
}

/// The destination of a message.
package enum Destination: Sendable, Equatable {
    case email(EmailAddress)
    case phone(PhoneNumber)

    package var medium: Medium {
        switch self {
        case .email: .email
        case .phone: .sms
        }
    }

    /// The address as written.
    package var text: String {
        switch self {
        case .email(let address): address.text
        case .phone(let number): number.text
        }
    }

    /// Whether it is a relay address, which the user may switch off at the provider.
    var isRelay: Bool {
        guard case .email(let address) = self else { return false }
        return ExternalEmail(address: address.text, authority: .unverified).map(\.isOfRelayDomain) ?? false
    }

    /// The masked form for strangers.
    package var masked: String {
        switch self {
        case .email(let address): address.masked
        case .phone(let number): number.masked
        }
    }

    /// Nil for an invalid address of the medium.
    package init?(_ medium: Medium, _ text: String) {
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

extension Destination: Codable {
    private enum CodingKeys: String, CodingKey {
        case medium, address
    }

    /// - Throws: `DecodingError` for an invalid address of the medium.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let medium = try container.decode(Medium.self, forKey: .medium)
        guard let destination = Destination(medium, try container.decode(String.self, forKey: .address)) else {
            throw DecodingError.dataCorruptedError(forKey: .address, in: container, debugDescription: "invalid")
        }
        self = destination
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(medium, forKey: .medium)
        try container.encode(text, forKey: .address)
    }
}
