import Accounts
package import Cryptography

/// One limit that an attempt counts against: `burst` at once, then one each period.
package struct Throttle: Sendable, Equatable {
    package let bucket: [UInt8]
    package let burst: Int
    package let periodMilliseconds: Int
    /// Whether it limits what a network has us do: then a right answer gives nothing back.
    var isOfNetwork = false
}

/// How much of what is allowed; the counting itself is done in the database, for all servers together.
package struct ThrottleLimits: Sendable {
    package var accountBurst: Int
    package var accountPerHour: Int
    package var addressBurst: Int
    package var addressPerMinute: Int
    package var clientPerMinute: Int
    package var smsAddressPerHour: Int
    package var smsClientPerHour: Int
    package var wrongAddressPerHour: Int
    /// Claims on addresses that their providers do not prove, from one network.
    package var linkAddressPerHour: Int
    package var mailAddressPerHour: Int
    package var mailClientPerHour: Int

    package init(
        accountBurst: Int, accountPerHour: Int, addressBurst: Int, addressPerMinute: Int, clientPerMinute: Int,
        smsAddressPerHour: Int, smsClientPerHour: Int, wrongAddressPerHour: Int, linkAddressPerHour: Int,
        mailAddressPerHour: Int, mailClientPerHour: Int
    ) {
        (self.accountBurst, self.accountPerHour) = (accountBurst, accountPerHour)
        (self.addressBurst, self.addressPerMinute) = (addressBurst, addressPerMinute)
        (self.clientPerMinute, self.smsAddressPerHour) = (clientPerMinute, smsAddressPerHour)
        (self.smsClientPerHour, self.wrongAddressPerHour) = (smsClientPerHour, wrongAddressPerHour)
        (self.linkAddressPerHour, self.mailAddressPerHour) = (linkAddressPerHour, mailAddressPerHour)
        self.mailClientPerHour = mailClientPerHour
    }
}

/// Names the buckets of an attempt.
///
/// Names are keyed digests: the table tells nobody who was tried from where.
package struct Throttles: Sendable {
    /// Messages that one mailbox or number gets at once; then one each ``destinationPeriodMilliseconds``.
    static let destinationBurst = 5
    package static let destinationPeriodMilliseconds = 600_000
    /// First sign-ins with one address that the provider does not prove; then one each ``claimPeriodMilliseconds``, five an hour.
    static let claimBurst = 5
    static let claimPeriodMilliseconds = 720_000
    /// In which a mailbox is told once that it has no account.
    static let noAccountPeriodMilliseconds = 86_400_000

    private let key: [UInt8]
    private let limits: ThrottleLimits

    package init(keys: MasterKeys, limits: ThrottleLimits) {
        key = keys.derived("throttle")
        self.limits = limits
    }

    /// A password attempt.
    ///
    /// The devices that are known for this name have one bucket together, whatever strangers do to the account or through
    /// the same app. Everybody pays for the network.
    package func passwordAttempt(
        name: String, address: String, client: String, isKnownDevice: Bool
    ) -> [Throttle] {
        if isKnownDevice { return [account("device", name)] + fromAddress(address) }
        let everywhere = throttle(
            "client", client, burst: limits.clientPerMinute, period: max(60_000 / limits.clientPerMinute, 1))
        return [account("account", name)] + fromAddress(address) + [everywhere]
    }

    /// Anything that sends a message to somebody: counted by mailbox or number and by where it is asked from.
    ///
    /// Text messages cost money, and whoever owns numbers may earn with each: they have limits of their own, and all of
    /// an app's have one together, however many networks they are asked from.
    package func message(to destination: Destination, address: String, client: String) -> [Throttle] {
        switch destination {
        case .email(let mailbox):
            [messages("mail", mailbox.throttleKey)]
                + furtherMail(address: address, client: client) + fromAddress(address)
        case .phone(let number):
            [messages("sms", number.key), texts(of: client)]
                + hourly("sms address", address, limits.smsAddressPerHour) + fromAddress(address)
        }
    }

    /// A mail more to a mailbox that was paid for: counted by where it is asked from, and by app.
    func furtherMail(address: String, client: String) -> [Throttle] {
        let everywhere = throttle(
            "mail client", client, burst: limits.mailClientPerHour, period: max(3_600_000 / limits.mailClientPerHour, 1)
        )
        return [everywhere] + hourly("mail address", address, limits.mailAddressPerHour)
    }

    /// What a mailbox is told once a day at most: that it has no account.
    func noAccountNotice(to mailbox: EmailAddress) -> Throttle {
        throttle("no account", mailbox.throttleKey, burst: 1, period: Self.noAccountPeriodMilliseconds)
    }

    /// Wrong answers to steps: counted by where they come from too, so that nobody tries a guess each at many accounts.
    package func wrongAnswers(address: String) -> [Throttle] {
        hourly("wrong answers", address, limits.wrongAddressPerHour)
    }

    /// A sign-in whose provider does not prove the address that it names: counted by where it comes from and by mailbox.
    ///
    /// Who asks learns by the answer whether an account has the address.
    func addressClaim(on mailbox: EmailAddress, address: String) -> [Throttle] {
        [throttle("claim", mailbox.throttleKey, burst: Self.claimBurst, period: Self.claimPeriodMilliseconds)]
            + hourly("claim address", address, limits.linkAddressPerHour)
    }

    /// Anything that begins without a guess or a message: counted by where it is asked from.
    package func start(address: String) -> [Throttle] { fromAddress(address) }

    /// A token or code that cost a request to its provider: counted by where it came from.
    ///
    /// Those in vain are. It is a third of what else may begin there, and fewer than a provider's places.
    package func providerRequest(address: String) -> [Throttle] {
        networks(
            "provider request", address, burst: max(limits.addressBurst / 3, 1), max(limits.addressPerMinute / 3, 1),
            in: 60_000)
    }

    /// What a provider tells us: counted by where it comes from, apart from what people do there.
    package func notification(address: String) -> [Throttle] {
        networks("notification", address, burst: limits.addressBurst, limits.addressPerMinute, in: 60_000)
    }

    /// Where guesses at the codes for a mailbox are counted.
    package func guessBucket(for name: String) -> [UInt8] {
        throttle("code", name, burst: GuessBudget.burst, period: GuessBudget.periodMilliseconds).bucket
    }

    private func account(_ kind: String, _ name: String) -> Throttle {
        throttle(kind, name, burst: limits.accountBurst, period: max(3_600_000 / limits.accountPerHour, 1))
    }

    private func messages(_ kind: String, _ name: String) -> Throttle {
        throttle(
            kind, name, burst: Self.destinationBurst, period: Self.destinationPeriodMilliseconds)
    }

    private func texts(of client: String) -> Throttle {
        throttle(
            "sms client", client, burst: limits.smsClientPerHour, period: max(3_600_000 / limits.smsClientPerHour, 1))
    }

    private func fromAddress(_ address: String) -> [Throttle] {
        networks("address", address, burst: limits.addressBurst, limits.addressPerMinute, in: 60_000)
    }

    private func hourly(_ kind: String, _ address: String, _ most: Int) -> [Throttle] {
        networks(kind, address, burst: most, most, in: 3_600_000)
    }

    /// A limit for each network around an address: `most` in so many milliseconds, and a wider one's share of it.
    private func networks(
        _ kind: String, _ address: String, burst: Int, _ most: Int, in milliseconds: Int
    ) -> [Throttle] {
        NetworkBlock.blocks(of: address).map { block in
            var limit = throttle(
                kind, block.name, burst: burst * block.share, period: max(milliseconds / (most * block.share), 1))
            limit.isOfNetwork = true
            return limit
        }
    }

    private func throttle(_ kind: String, _ name: String, burst: Int, period: Int) -> Throttle {
        Throttle(
            bucket: Array(HMACSHA256.code(Array("\(kind)\0\(name)".utf8), key: key).prefix(16)), burst: burst,
            periodMilliseconds: period)
    }
}
