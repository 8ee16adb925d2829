import Cryptography
import FoundationEssentials
import JSON

/// A user at an external tenant, existing or only possible by a sign-up.
struct NativeUser: Sendable {
    struct Method: Sendable, Equatable {
        let id: String
        let channel: String
        let target: String

        var masked: String { NativeUser.masked(target) }
    }

    let tenant: String
    let username: String
    /// `oid`.
    let id: String
    var name = "Native User"
    /// Whether the user exists, or only a sign-up creates it.
    var exists = true
    /// Nil for a user who signs in by code.
    var password: String?
    /// Second factors that are required after a password.
    var methods: [Method] = []
    /// Channels of which one must be registered.
    var registration: [String] = []
    /// Required by the sign-up.
    var requiredAttributes: [String] = []
    /// Whether the sign-up requires a password.
    var needsPassword = false
    var attributes: [String: String] = [:]
    var mustReset = false
    /// Whether Microsoft sends no codes to second factors.
    var isBlocked = false
    /// The operations that require a browser.
    var redirects: Set<NativeOperation> = []
    /// The number of polls before a new password is effective, and the number of resets that fail first.
    var polls = 0
    var resetFailures = 0
    /// The lifetime of a continuation token in seconds.
    var life = 600
    /// The last code for each purpose.
    var codes: [String: String] = [:]

    init(tenant: String, username: String, id: String) {
        (self.tenant, self.username, self.id) = (tenant, username, id)
    }

    func isNamed(_ name: String, in tenant: String) -> Bool {
        self.tenant.hasSameBytes(as: tenant) && username.lowercased().hasSameBytes(as: name.lowercased())
    }

    /// Eight digits, as for all codes there.
    mutating func sendCode(for purpose: String) -> String {
        let code = "\(OneTimeCode.sixDigits(.system))\(OneTimeCode.sixDigits(.system).prefix(2))"
        codes[purpose] = code
        return code
    }

    /// Throws the rule that a new password breaks.
    func check(password new: String) throws(Refusal) {
        let count = new.unicodeScalars.count
        guard count >= 8 else { throw .password("password_too_short") }
        guard count <= 256 else { throw .password("password_too_long") }
        guard !new.unicodeScalars.contains(where: { $0.value < 0x20 }) else { throw .password("password_is_invalid") }
        guard !new.lowercased().contains("password") else { throw .password("password_banned") }
        let kinds: [(Character) -> Bool] = [
            \.isLowercase, \.isUppercase, \.isNumber, { !$0.isLetter && !$0.isNumber },
        ]
        guard kinds.count(where: { new.contains(where: $0) }) >= 3 else { throw .password("password_too_weak") }
        guard password.map(new.hasSameBytes) != true else { throw .password("password_recently_used") }
    }

    static func masked(_ target: String) -> String {
        let halves = target.split(separator: "@")
        guard halves.count == 2 else { return "+********\(target.suffix(2))" }
        return "\(halves[0].prefix(1))***@\(halves[1].prefix(1))***"
    }
}

extension NativeUser {
    /// Reads a user of `POST /control/microsoft/users`; throws for an unknown member and for one of the wrong type.
    init(_ members: ControlMembers) throws(ControlError) {
        try members.expectOnly([
            "username", "tenant", "subject", "name", "exists", "password", "methods", "registration",
            "required_attributes", "needs_password", "must_reset", "blocked", "redirects", "polls", "reset_failures",
            "token_seconds",
        ])
        guard let username = try members.text("username"), !username.isEmpty else {
            throw ControlError("username is missing")
        }
        let person = Person(seed: username, subject: nil, email: "", name: "")
        self.init(
            tenant: try members.text("tenant") ?? Defaults.microsoftExternalTenant, username: username,
            id: try members.text("subject") ?? person.guid(for: "microsoft"))
        name = try members.text("name") ?? name
        exists = try members.flag("exists") ?? true
        password = try members.text("password")
        (needsPassword, mustReset) = (
            try members.flag("needs_password") ?? false, try members.flag("must_reset") ?? false
        )
        isBlocked = try members.flag("blocked") ?? false
        requiredAttributes = try members.texts("required_attributes") ?? []
        polls = try members.number("polls", in: 0...100) ?? 0
        resetFailures = try members.number("reset_failures", in: 0...100) ?? 0
        life = try members.number("token_seconds", in: 0...3_600) ?? life
        try readMethods(members)
    }

    private mutating func readMethods(_ members: ControlMembers) throws(ControlError) {
        for value in try members.list("methods") ?? [] {
            guard let channel = value["channel"]?.string, ["email", "sms", "voice"].contains(channel),
                let target = value["target"]?.string
            else { throw ControlError("a method has a channel (email, sms, voice) and a target") }
            methods.append(Method(id: GUID.random(), channel: channel, target: target))
        }
        registration = try members.texts("registration") ?? []
        guard registration.allSatisfy(["email", "sms"].contains) else {
            throw ControlError("registration is a list of email, sms")
        }
        for path in try members.texts("redirects") ?? [] {
            guard let operation = NativeOperation(rawValue: path) else {
                throw ControlError("redirects are \(NativeOperation.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            redirects.insert(operation)
        }
    }
}
