import Accounts
import Cryptography
import Foundation
import Sessions
import Vocabulary

/// The account's password.
struct PasswordStep: FlowStep {
    static let kind = "password"

    func wrong(triesLeft: Int) -> Rejection { .invalidCredentials() }

    func shown(_ context: FlowContext) -> SignInStep {
        .password(
            StepOptions(
                choices: context.choices(besides: .password) + context.otherFirstFactors(than: self),
                offersRemembering: context.candidates.contains(.password) && context.offersRemembering))
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.candidates.contains(.password) }

    func judge(_ response: StepResponse, _ context: FlowContext) async throws(Rejection) -> Verdict {
        let typed = try response.answer.typedPassword(most: PasswordPolicy.maximumBytes)
        let password = PasswordPolicy.normalised(typed)
        let hasher = context.tools.hasher
        return try await rejecting(context.tools.logger) {
            let place = try await hasher.place(for: context.request.caller.network)
            guard let hash = context.passwordHash else {
                try await hasher.verifyNothing(password, in: place)
                return .wrong
            }
            switch try await hasher.verify(password, typed: Array(typed.utf8), against: hash, in: place) {
            case .no: return .wrong
            case .yes: return .right(Right(proof: Proof(.password)))
            case .yesNeedsRehash:
                let new = try await hasher.verifiers(of: typed, srp: context.srpOrder(), in: place)
                let rehash = FlowEffect.rehash(old: hash, new: new)
                return .right(Right(proof: Proof(.password), effects: [rehash]))
            }
        }
    }
}

/// The user's new password, in place of a password that an operator set.
struct NewPasswordStep: FlowStep {
    static let kind = "new_password"
    var isSprayed: Bool { false }

    func shown(_ context: FlowContext) -> SignInStep { .newPassword(requiredAttributes: []) }

    func isDue(_ next: SignInCourse.Next) -> Bool { next == .newPassword }

    func judge(_ response: StepResponse, _ context: FlowContext) async throws(Rejection) -> Verdict {
        let address = context.factors.emails.first ?? context.flow.name.flatMap(EmailAddress.init)
        let password = try response.answer.typedNewPassword(most: PasswordPolicy.maximumBytes + 1).password
        try context.tools.policy.check(password, address)
        let place = try await context.hashingPlace()
        guard try await isNew(password, context, in: place) else { return .refused(.passwordUnchanged) }
        return .right(Right(newPassword: try await verifiers(of: password, context, in: place)))
    }
}

extension FlowStep {
    /// Whether it differs from the passwords that it replaces.
    func isNew(
        _ newPassword: String, _ context: FlowContext, in place: HashingPlace
    ) async throws(Rejection) -> Bool {
        try await rejecting(context.tools.logger) {
            try await context.tools.hasher.isNew(newPassword, besides: context.replacedHashes, in: place)
        }
    }

    /// The verifiers that are to be the account's; refused for a password that was in a breach.
    ///
    /// Call it last, for a caller who has proved: each new prefix costs a request to the breach service.
    func verifiers(
        of newPassword: String, _ context: FlowContext, in place: HashingPlace
    ) async throws(Rejection) -> PasswordVerifiers {
        let (tools, order) = (context.tools, try await context.srpOrder())
        return try await rejecting(tools.logger) {
            let retaken = try await tools.hasher.place(
                after: place, asking: tools.breaches, about: newPassword, for: context.request.caller.network)
            defer { retaken.leave() }
            return try await tools.hasher.verifiers(of: newPassword, srp: order, in: retaken)
        }
    }
}

extension PasswordHasher {
    /// Whether a new password is none of those with these hashes; costs up to two hashes for each.
    func isNew(
        _ typed: String, besides hashes: [String], in place: HashingPlace
    ) async throws(PasswordHashError) -> Bool {
        let password = PasswordPolicy.normalised(typed)
        for hash in hashes {
            let match = try await verify(password, typed: Array(typed.utf8), against: hash, in: place)
            guard match == .no else { return false }
        }
        return true
    }
}

extension PasswordHasher {
    /// The place to hash a new password in, once the breach service has answered.
    ///
    /// The place held so far is given up before the question: a slow service must not stop the hashing of others.
    ///
    /// - Parameter breaches: nil without a service; the place then stays.
    func place(
        after held: HashingPlace, asking breaches: BreachedPasswords?, about password: String, for network: String?
    ) async throws -> HashingPlace {
        guard let breaches else { return held }
        held.leave()
        try await breaches.refuse(password)
        return try await place(for: network)
    }
}

extension FlowContext {
    /// A place to hash in, taken before the answer is judged.
    func hashingPlace() async throws(Rejection) -> HashingPlace {
        try await rejecting(tools.logger) { try await tools.hasher.place(for: request.caller.network) }
    }
}
