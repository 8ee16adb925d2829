import Accounts
import Cryptography
import Foundation
import Logging
import Providers
import Synchronization

@testable import Sessions
@testable import SignIn
@testable import Vocabulary

/// The tools that all walks share, with their clock.
final class StepBench: Sendable {
    let tools: StepTools
    let password = "grey heron over the weir 41"
    let passwordHash: String
    let box: SealedBox
    private let clock: Clock

    private final class Clock: Sendable {
        let seconds = Mutex(1_800_000_000)
    }

    init() async throws {
        let keys = try TestKeys.keys("a")
        let hasher = PasswordHasher(
            parameters: Argon2Parameters(memoryKiB: 8, passes: 1, lanes: 1), threads: 1, queueLimit: 64)
        let clock = Clock()
        (self.clock, box) = (clock, SealedBox(keys))
        passwordHash = try await hasher.hash(Array(password.utf8))
        tools = StepTools(
            hasher: hasher, policy: PasswordPolicy(minimumLength: 8), box: box,
            recoveryCodes: RecoveryCodes(keys: keys), relyingParty: nil, challenge: nil,
            providers: ProviderRegistry([]), codeKey: keys.derived("one-time code"), serviceName: "Example",
            logger: Logger(label: "walk") { _ in SwiftLogNoOpLogHandler() },
            now: { Date(timeIntervalSince1970: TimeInterval(clock.seconds.withLock { $0 })) })
    }

    var now: Int { clock.seconds.withLock { $0 } }

    /// Waits like a user, so that the app shows a new code.
    func wait() { clock.seconds.withLock { $0 += 60 } }
}

extension SignInRequest {
    /// The request of an app without rules of its own.
    static let test = SignInRequest(
        client: .test(providers: ["password"]), device: DeviceHint(),
        caller: Caller(address: "192.0.2.7", requestID: "test"))
}

/// One sign-in, with a model of the database and the true proofs.
struct StepWalk {
    /// An answer, with its true proof if it is the first of its kind.
    struct Answer {
        let answer: StepAnswer
        let thing: String?
    }

    let bench: StepBench
    let account = UUID()
    var factors = AccountFactors()
    var flow: SignInFlow
    let isDemanded: Bool
    /// The code of the open step, if one was sent.
    var code = ""
    var secrets: [UUID: [UInt8]] = [:]
    var recoveryCodes: [String] = []
    var truth: Set<String>
    var accepted: [Answer] = []
    var refused = 0
    var complaints: [String] = []

    init(_ bench: StepBench, _ random: inout SplitMix) {
        self.bench = bench
        let enrolled = Enrolled(rawValue: Int.random(in: 0..<64, using: &random)).subtracting(.passkey)
        let first = [ProvedThing.password, .provider, .ownMailbox].randomElement(using: &random) ?? .password
        isDemanded = Bool.random(using: &random)
        truth = [first.thing]
        flow = SignInFlow(
            provider: "password", proofs: Proofs([first.proof]), name: ProvedThing.own, language: "")
        factors.emails = [EmailAddress(ProvedThing.own)].compactMap(\.self)
        factors.hasPassword = first == .password || Bool.random(using: &random)
        if first == .password, Bool.random(using: &random) { factors.passwordState = .temporary }
        enrol(enrolled)
    }

    private mutating func enrol(_ enrolled: Enrolled) {
        factors.isProtected = !enrolled.isDisjoint(with: .codeFactors)
        if enrolled.contains(.totp) {
            let (id, secret) = (UUID(), RandomBytes.system(20))
            secrets[id] = secret
            factors.factors.append(.test(.totp, id: id, sealed: bench.box.seal(secret, purpose: TOTPStep.purpose)))
        }
        if enrolled.contains(.sms) { factors.factors.append(.test(.sms, ProvedThing.number)) }
        if enrolled.contains(.ownMailbox) { factors.factors.append(.test(.email, ProvedThing.own)) }
        if enrolled.contains(.otherMailbox) { factors.factors.append(.test(.email, ProvedThing.other)) }
        if enrolled.contains(.recoveryCodes) {
            recoveryCodes = bench.tools.recoveryCodes.make()
            factors.recoveryCodes = recoveryCodes.count
        }
    }

    var course: SignInCourse {
        SignInCourse(factors: factors, isDemandedByClient: isDemanded, isRemembered: false)
    }

    private let flowID = UUID()

    var context: FlowContext {
        var context = FlowContext(
            flowID, .signIn, flow, account: account, factors: factors, course: course, .test, bench.tools)
        context.passwordHash = factors.hasPassword ? bench.passwordHash : nil
        return context
    }

    /// Answers until the sign-in is complete, has ended, or the user gives up; returns whether it is complete.
    mutating func run(_ random: inout SplitMix) async throws -> Bool {
        let wasDue = factors.isProtected || isDemanded
        for _ in 0..<12 {
            bench.wait()
            switch course.next(after: flow.proofs, choosesPassword: flow.progress.newPassword != nil) {
            case .signedIn:
                check(!wasDue || truth.count > 1, "signed in with \(truth)")
                check(
                    flow.progress.newPassword != nil || factors.passwordState != .temporary
                        || !truth.contains("password"),
                    "signed in with a temporary password")
                return true
            case .noSecondFactorLeft, .passwordExpired: return false
            case .secondFactor(let candidates):
                let chosen = candidates.randomElement(using: &random) ?? .recoveryCode
                open(chosen.step, &random)
            case .setUp(let kinds): open(SetUpSelectionStep(kinds), &random)
            case .newPassword: open(NewPasswordStep(), &random)
            }
            try await answer(&random)
        }
        return false
    }

    private mutating func open(_ step: any FlowStep, _ random: inout SplitMix) {
        flow.progress.step = step
        code = String(Int.random(in: 100_000...999_999, using: &random))
    }

    /// Answers the open step, and its replacements.
    private mutating func answer(_ random: inout SplitMix) async throws {
        for _ in 0..<4 {
            guard let step = flow.progress.step else { return }
            let answer = self.answer(to: step, &random)
            let before = flow.proofs
            do {
                switch try await context.judge(StepResponse(answer.answer), at: step) {
                case .goOn(let other): open(other, &random)
                case .again, .verified, .ended, .inBrowser:
                    return check(false, "a step of our own was judged by a provider")
                case .wrong, .refused:
                    refused += 1
                    return check(answer.thing == nil, "a right answer was wrong: \(answer.answer)")
                case .right(let right):
                    accept(right, answer)
                    check(flow.proofs.isMultiFactor == (truth.count > 1), "\(flow.proofs.list) for \(truth)")
                    check(flow.proofs == before || flow.proofs.list.count == before.list.count + 1, "two for one")
                    return
                }
            } catch {
                refused += 1
                let expected = ["invalid_request", "factor_not_independent", "password_too_short"]
                check(expected.contains(error.code) && answer.thing == nil, "\(error) for \(answer.answer)")
            }
        }
    }

    mutating func check(_ holds: Bool, _ words: String) {
        if !holds { complaints.append(words) }
    }
}
