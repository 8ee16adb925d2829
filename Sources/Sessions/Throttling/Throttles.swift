package import Cryptography
package import Messages
import Postgres
package import Vocabulary

/// A limit on attempts: `burst` at once, then one each period.
package struct Throttle: Sendable, Equatable {
    package let bucket: [UInt8]
    package let burst: Int
    package let periodMilliseconds: Int
}

/// The budgets of all buckets; the database counts for all servers together.
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
/// Names are keyed digests, so that the table does not reveal the tried names or their networks.
package struct Throttles: Sendable {
    /// Messages that one address gets at once; then one each ``destinationPeriodMilliseconds``.
    static let destinationBurst = 5
    package static let destinationPeriodMilliseconds = 600_000
    /// First sign-ins with one unproved address; then one each ``claimPeriodMilliseconds``, five an hour.
    static let claimBurst = 5
    static let claimPeriodMilliseconds = 720_000
    /// The period in which an address gets one message that it has no account.
    static let noAccountPeriodMilliseconds = 86_400_000

    private let key: [UInt8]
    private let limits: ThrottleLimits

    package init(keys: MasterKeys, limits: ThrottleLimits) {
        key = keys.derived("throttle")
        self.limits = limits
    }

    /// The buckets of a stranger's password attempt: the name's and the app's.
    ///
    /// The database adds the account's (`guess_bucket.sql`), which is shared by all its names. A known place has only a
    /// bucket of its own. Every attempt charges the network, too (``start(address:)``).
    package func passwordAttempt(name: String, client: String) -> [Throttle] {
        [password(bucket: bucket("account", name)), everywhere(client)]
    }

    /// The budget of passwords in one bucket.
    package func password(bucket: [UInt8]) -> Throttle {
        Throttle(
            bucket: bucket, burst: limits.accountBurst,
            periodMilliseconds: max(3_600_000 / limits.accountPerHour, 1))
    }

    /// The budget of a flow's password step.
    package func passwordGuess(client: String) -> PasswordGuess {
        let own = password(bucket: [])
        return PasswordGuess(burst: own.burst, period: own.periodMilliseconds, client: everywhere(client))
    }

    /// The app's bucket of passwords.
    func everywhere(_ client: String) -> Throttle {
        throttle("client", client, burst: limits.clientPerMinute, period: max(60_000 / limits.clientPerMinute, 1))
    }

    /// The buckets of a message: by address, and by network of the request.
    ///
    /// Text messages cost money, and owners of premium numbers may earn with each. They have limits of their own. All
    /// texts of an app share one limit over all networks.
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

    /// The buckets of a further mail to an address that was already charged: by network and by app.
    package func furtherMail(address: String, client: String) -> [Throttle] {
        let everywhere = throttle(
            "mail client", client, burst: limits.mailClientPerHour, period: max(3_600_000 / limits.mailClientPerHour, 1)
        )
        return [everywhere] + hourly("mail address", address, limits.mailAddressPerHour)
    }

    /// The buckets of a new guest: by app and by network, each with the budget of the mails of sign-ups.
    package func guest(address: String, client: String) -> [Throttle] {
        let everywhere = throttle(
            "guest client", client, burst: limits.mailClientPerHour,
            period: max(3_600_000 / limits.mailClientPerHour, 1))
        return [everywhere] + hourly("guest address", address, limits.mailAddressPerHour) + fromAddress(address)
    }

    /// Requests to send the code of a sign-up again, by its name and from one network; then one each
    /// ``resendPeriodMilliseconds``.
    static let resendBurst = 5
    static let resendPeriodMilliseconds = 720_000

    /// The buckets of a request to send the code of a sign-up again: by network, and by name in each network.
    ///
    /// They are the same for every name, with or without a sign-up. A stranger's requests do not stop the owner's.
    package func resend(name: String, client: String, address: String) -> [Throttle] {
        let network = NetworkBlock.blocks(of: address).first?.name ?? address
        let own = throttle(
            "resend", "\(client)\0\(name)\0\(network)", burst: Self.resendBurst, period: Self.resendPeriodMilliseconds)
        return [own] + fromAddress(address)
    }

    /// The buckets of a guess at the code of a name that waits for none, as one at a pending sign-up takes.
    package func codeGuess(name: String, address: String) -> [Throttle] {
        let own = throttle("code", name, burst: GuessBudget.burst, period: GuessBudget.periodMilliseconds)
        return [own] + wrongAnswers(address: address)
    }

    /// Wrong codes of devices by all users together; then one each ``deviceCodePeriodMilliseconds``.
    package static let deviceCodeBurst = 1_000
    package static let deviceCodePeriodMilliseconds = 600

    /// The buckets of a guess at the code of a device: by account, by network, and of all users together.
    ///
    /// - Parameter account: its id.
    package func deviceCodeGuess(account: String, address: String) -> [Throttle] {
        let own = throttle(
            "device code", account, burst: GuessBudget.burst, period: GuessBudget.periodMilliseconds)
        let all = throttle(
            "device code", "", burst: Self.deviceCodeBurst, period: Self.deviceCodePeriodMilliseconds)
        return [own, all] + wrongAnswers(address: address)
    }

    /// The bucket of sign-ups, resets and code requests without a bot check: by network.
    package func uncheckedRequest(address: String, perHour: Int) -> [Throttle] { hourly("unchecked", address, perHour) }

    /// The bucket of the message that an address has no account: one a day at most.
    package func noAccountNotice(to mailbox: EmailAddress) -> Throttle {
        throttle("no account", mailbox.throttleKey, burst: 1, period: Self.noAccountPeriodMilliseconds)
    }

    /// The buckets of wrong answers, also by network, so that one guess at each of many accounts is limited too.
    package func wrongAnswers(address: String) -> [Throttle] {
        hourly("wrong answers", address, limits.wrongAddressPerHour)
    }

    /// The bucket of guesses that a back end passes on, whatever network it names: by its key.
    ///
    /// It has the budget of the widest network. Empty for a user's own request.
    package func passedOn(by caller: Caller) -> [Throttle] {
        guard let key = caller.accessKey else { return [] }
        let share = Self.shareOfKey
        return [
            throttle(
                "access key", key, burst: limits.addressBurst * share,
                period: max(60_000 / (limits.addressPerMinute * share), 1))
        ]
    }

    /// The budget of a key, as a multiple of that of one address.
    private static let shareOfKey = 16

    /// The buckets of a sign-in with an unproved address: by network and by address.
    ///
    /// The answer reveals whether an account has the address.
    package func addressClaim(on mailbox: EmailAddress, address: String) -> [Throttle] {
        [throttle("claim", mailbox.throttleKey, burst: Self.claimBurst, period: Self.claimPeriodMilliseconds)]
            + hourly("claim address", address, limits.linkAddressPerHour)
    }

    /// The buckets of requests without a guess or a message: by network.
    package func start(address: String) -> [Throttle] { fromAddress(address) }

    /// The buckets of a token or code that cost a request to its provider: by network.
    ///
    /// Only failed ones count. The budget is a third of the other one, and smaller than a provider's places.
    package func providerRequest(address: String) -> [Throttle] {
        networks(
            "provider request", address, burst: max(limits.addressBurst / 3, 1), max(limits.addressPerMinute / 3, 1),
            in: 60_000)
    }

    /// The buckets of a provider's notifications: by network, separate from user requests.
    package func notification(address: String) -> [Throttle] {
        networks("notification", address, burst: limits.addressBurst, limits.addressPerMinute, in: 60_000)
    }

    /// The buckets of a stored authorization request: by network.
    ///
    /// The budget is wider than that of attempts: a sign-in by a provider takes none of those.
    package func authorizationRequest(address: String) -> [Throttle] {
        let share = Self.shareOfRequests
        return networks(
            "authorization request", address, burst: limits.addressBurst * share, limits.addressPerMinute * share,
            in: 60_000)
    }

    /// The budget of authorization requests, as a multiple of that of attempts.
    package static let shareOfRequests = 4

    /// The buckets of a fetch for an app that nobody vouches for: by the called host, and by network.
    func fetch(host: String, address: String) -> [Throttle] {
        [throttle("client document host", host, burst: 20, period: 3_000)]
            + networks("client document", address, burst: 10, 6, in: 60_000)
    }

    /// The buckets of a registration that an app asks for or replaces itself: by network.
    package func registration(address: String) -> [Throttle] { hourly("registration", address, 20) }

    /// The bucket of guesses at the codes for an address.
    package func guessBucket(for name: String) -> [UInt8] {
        bucket("code", name)
    }

    /// The bucket of codes that are typed for a name with several flows: each flow that a code is compared with is a
    /// guess.
    ///
    /// - Parameter address: the caller's, for the bucket of its network; nil for that of all strangers.
    package func namedGuess(_ name: String, flows: Int, from address: String? = nil) -> Throttle {
        let network = address.map { NetworkBlock.blocks(of: $0).first?.name ?? $0 } ?? ""
        return throttle(
            "named code", network.isEmpty ? name : "\(name)\0\(network)", burst: max(GuessBudget.burst / flows, 1),
            period: GuessBudget.periodMilliseconds * flows)
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

    /// A limit for each network around an address: `most` in that time, and a multiple of it for a wider network.
    private func networks(
        _ kind: String, _ address: String, burst: Int, _ most: Int, in milliseconds: Int
    ) -> [Throttle] {
        NetworkBlock.blocks(of: address).map { block in
            throttle(kind, block.name, burst: burst * block.share, period: max(milliseconds / (most * block.share), 1))
        }
    }

    private func throttle(_ kind: String, _ name: String, burst: Int, period: Int) -> Throttle {
        Throttle(bucket: bucket(kind, name), burst: burst, periodMilliseconds: period)
    }

    /// The kinds of guesses.
    private static let guesses: Set = ["account", "client", "code"]

    /// Guesses sort before messages and networks, and after the accounts' own buckets: a statement that takes several
    /// in turn takes them in that order, as one that takes them together does by name.
    private func bucket(_ kind: String, _ name: String) -> [UInt8] {
        var bytes = Array(HMACSHA256.code(Array("\(kind)\0\(name)".utf8), key: key).prefix(16))
        bytes[0] = Self.guesses.contains(kind) ? bytes[0] & 0x3F | 0x40 : bytes[0] | 0x80
        return bytes
    }
}

extension SQL.StringInterpolation {
    /// Binds limits as three arguments: buckets, bursts and periods.
    package mutating func appendInterpolation(_ throttles: [Throttle]) {
        appendInterpolation(throttles.map(\.bucket))
        appendLiteral(", ")
        appendInterpolation(throttles.map(\.burst))
        appendLiteral(", ")
        appendInterpolation(throttles.map(\.periodMilliseconds))
    }
}
