import Accounts
package import Cryptography

/// One limit that an attempt counts against: `burst` at once, then one each period.
package struct Throttle: Sendable, Equatable {
    package let bucket: [UInt8]
    package let burst: Int
    package let periodMilliseconds: Int
}

/// How much of what is allowed; the counting itself is done in the database, for all servers together.
package struct ThrottleLimits: Sendable {
    package var accountBurst: Int
    package var accountPerHour: Int
    package var addressBurst: Int
    package var addressPerMinute: Int
    package var clientPerMinute: Int
    package var smsAddressPerHour: Int

    package init(
        accountBurst: Int, accountPerHour: Int, addressBurst: Int, addressPerMinute: Int, clientPerMinute: Int,
        smsAddressPerHour: Int
    ) {
        (self.accountBurst, self.accountPerHour) = (accountBurst, accountPerHour)
        (self.addressBurst, self.addressPerMinute) = (addressBurst, addressPerMinute)
        (self.clientPerMinute, self.smsAddressPerHour) = (clientPerMinute, smsAddressPerHour)
    }
}

/// Names the buckets of an attempt.
///
/// Names are keyed digests: the table tells nobody who was tried from where.
package struct Throttles: Sendable {
    private let key: [UInt8]
    private let limits: ThrottleLimits

    package init(keys: MasterKeys, limits: ThrottleLimits) {
        key = keys.derived("throttle")
        self.limits = limits
    }

    /// A password attempt.
    ///
    /// A device that is known for this name counts on its own bucket, whatever strangers do.
    package func passwordAttempt(name: String, address: String, client: String, knownDevice: [UInt8]?) -> [Throttle] {
        let everywhere = throttle(
            "client", client, burst: limits.clientPerMinute, period: max(60_000 / limits.clientPerMinute, 1))
        if let knownDevice {
            return [account("device", Base64URL.encode(knownDevice)), everywhere]
        }
        return [account("account", name), fromAddress(address), everywhere]
    }

    /// Anything that sends a message to somebody: counted by mailbox or number and by where it is asked from.
    ///
    /// Text messages cost money, and whoever owns numbers may earn with each: they have limits of their own.
    package func message(to destination: Destination, address: String) -> [Throttle] {
        switch destination {
        case .email(let mailbox): [throttle("mail", mailbox.key, burst: 5, period: 600_000), fromAddress(address)]
        case .phone(let number):
            [
                throttle("sms", number.key, burst: 5, period: 600_000),
                throttle(
                    "sms address", NetworkBlock.name(of: address), burst: limits.smsAddressPerHour,
                    period: max(3_600_000 / limits.smsAddressPerHour, 1)),
                fromAddress(address),
            ]
        }
    }

    /// Anything that begins without a guess or a message: counted by where it is asked from.
    package func start(address: String) -> [Throttle] { [fromAddress(address)] }

    /// What a provider tells us: counted by where it comes from, apart from what people do there.
    package func notification(address: String) -> [Throttle] {
        [
            throttle(
                "notification", NetworkBlock.name(of: address), burst: limits.addressBurst,
                period: max(60_000 / limits.addressPerMinute, 1))
        ]
    }

    /// Where guesses at the codes for a mailbox are counted.
    package func guessBucket(for name: String) -> [UInt8] { throttle("code", name, burst: 20, period: 180_000).bucket }

    private func account(_ kind: String, _ name: String) -> Throttle {
        throttle(kind, name, burst: limits.accountBurst, period: max(3_600_000 / limits.accountPerHour, 1))
    }

    private func fromAddress(_ address: String) -> Throttle {
        throttle(
            "address", NetworkBlock.name(of: address), burst: limits.addressBurst,
            period: max(60_000 / limits.addressPerMinute, 1))
    }

    private func throttle(_ kind: String, _ name: String, burst: Int, period: Int) -> Throttle {
        Throttle(
            bucket: Array(HMACSHA256.code(Array("\(kind)\0\(name)".utf8), key: key).prefix(16)), burst: burst,
            periodMilliseconds: period)
    }
}
