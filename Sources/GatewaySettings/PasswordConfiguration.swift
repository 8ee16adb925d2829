import Cryptography
import FoundationEssentials
import Providers
import Settings

/// The rules for passwords, and the cost limits of hashing.
package struct PasswordConfiguration: Sendable, Equatable {
    /// `PASSWORD_MINIMUM_LENGTH`: the minimum number of characters.
    ///
    /// Number, default 8, not secret.
    package let minimumLength: Int
    /// `HASH_THREADS`: the number of parallel hashes, each on its own thread.
    ///
    /// Number, default one a core, not secret.
    package let hashThreads: Int
    /// `HASH_QUEUE`: the limit of waiting hashes; more get 503.
    ///
    /// Number, default 64, not secret.
    package let hashQueueLimit: Int
    /// `HASH_MEMORY_KIB`: the memory of one Argon2id hash.
    ///
    /// KiB, default 19456, not secret.
    let hashMemoryKiB: Int
    /// `HASH_ITERATIONS`: passes of one Argon2id hash.
    ///
    /// Number, default 2, not secret.
    let hashIterations: Int
    /// `MIGRATE_PASSWORDS_FROM`: providers that check the password of an unknown name once.
    ///
    /// List of ids of ``ProviderList/takesPasswords``, default none, not secret.
    package let migrateFrom: [String]
    /// `PASSWORD_BREACH_URL`: the range service for breached passwords.
    ///
    /// URL, no default (the bundled list alone), not secret.
    package let breachURL: String?
    /// `PASSWORD_WORDS`, and the names in the host of `PUBLIC_URL`: as easy to guess as common passwords.
    ///
    /// List, default none, not secret.
    package let serviceWords: [String]
}

extension PasswordConfiguration {
    static let keys: [ConfigurationKey] = [
        .passwordMinimumLength, .hashThreads, .hashQueue, .hashMemory, .hashIterations, .migratePasswordsFrom,
        .passwordBreachURL, .passwordWords,
    ]

    init(_ settings: inout SettingsReader, publicURL: String, local: Bool) {
        let host = EndpointURL(publicURL)?.host ?? ""
        serviceWords = host.split(separator: ".").map(String.init) + (settings.list(.passwordWords) ?? [])
        breachURL = settings.endpoint(.passwordBreachURL, local: local)
        minimumLength = settings.number(.passwordMinimumLength, in: 8...256)
        hashThreads = settings.number(
            .hashThreads, in: 1...256, else: max(1, ProcessInfo.processInfo.activeProcessorCount))
        hashQueueLimit = settings.number(.hashQueue, in: 1...10_000)
        hashMemoryKiB = settings.number(.hashMemory, in: 7_168...262_144)
        hashIterations = settings.number(.hashIterations, in: 1...16)
        migrateFrom = settings.list(.migratePasswordsFrom) ?? []
        for provider in migrateFrom where ProviderList.takesPasswords[provider] == nil {
            let known = ProviderList.takesPasswords.keys.sorted().joined(separator: ", ")
            settings.complain(.migratePasswordsFrom, "\(provider) is none of: \(known)")
        }
        checkCost(&settings)
    }

    /// Refuses a hash cost above the limit of verification: such a hash would lock its account out permanently.
    private func checkCost(_ settings: inout SettingsReader) {
        guard !parameters.isAffordable else { return }
        let product = "HASH_MEMORY_KIB=\(hashMemoryKiB) times HASH_ITERATIONS=\(hashIterations)"
        settings.complain(
            .hashMemory, "\(product) is more than \(Argon2Parameters.mostWork), the most that is verified: lower one")
    }
}

extension ConfigurationKey {
    static let passwordMinimumLength = ConfigurationKey(
        "PASSWORD_MINIMUM_LENGTH", .passwords, .number, default: "8",
        "The minimum length of new passwords. 15 is recommended, 8 is the least.")
    static let hashThreads = ConfigurationKey(
        "HASH_THREADS", .passwords, .number, shownAs: "one a core", example: .form("2"),
        "Passwords hashed in parallel, each on its own thread.")
    static let hashQueue = ConfigurationKey(
        "HASH_QUEUE", .passwords, .number, default: "64",
        "Passwords that may wait to be hashed, at most an eighth of them from one network. Further ones wait three seconds for a place, then get 503."
    )
    static let hashMemory = ConfigurationKey(
        "HASH_MEMORY_KIB", .passwords, .number, default: "19456", "The memory of one Argon2id hash in KiB.")
    static let migratePasswordsFrom = ConfigurationKey(
        "MIGRATE_PASSWORDS_FROM", .passwords, .list, shownAs: "none",
        example: .form(ProviderList.takesPasswords.keys.min() ?? ""),
        "Providers (\(ProviderList.takesPasswords.keys.sorted().map { "`\($0)`" }.joined(separator: ", "))) that check an unknown name and password once. If they accept it, the gateway stores the password."
    )
    static let passwordBreachURL = ConfigurationKey(
        "PASSWORD_BREACH_URL", .passwords, .url, shownAs: "not asked",
        example: .form("https://api.pwnedpasswords.com/range"),
        "A range service for breached passwords, in the format of Have I Been Pwned. It gets the first five digits of a new password's SHA-1. Without an answer, the bundled list decides alone."
    )
    static let passwordWords = ConfigurationKey(
        "PASSWORD_WORDS", .passwords, .list, shownAs: "none", example: .form("duckshop"),
        "Names of your company and products, each as one word. No new password may be such a name, with or without digits and signs behind it. The names in the host of PUBLIC_URL count too."
    )
    static let hashIterations = ConfigurationKey(
        "HASH_ITERATIONS", .passwords, .number, default: "2", "The passes of one Argon2id hash.")
}
