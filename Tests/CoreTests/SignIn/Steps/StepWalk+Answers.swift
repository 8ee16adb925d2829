import Foundation
import Messages
import Sessions

@testable import Accounts
@testable import Cryptography
@testable import SignIn

/// The answers of a user or an attacker.
extension StepWalk {
    mutating func answer(to step: any FlowStep, _ random: inout SplitMix) -> Answer {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return wrong(&random)
        case 1: return replayed(&random)
        case 2: return ofAnotherStep(&random)
        case 3:
            guard let name = context.candidates.randomElement(using: &random)?.choice.id else { return wrong(&random) }
            return Answer(answer: .choice(name), thing: nil)
        case 4 where context.candidates.contains(.recoveryCode): return recoveryCode()
        default: return right(for: step, &random)
        }
    }

    private func wrong(_ random: inout SplitMix) -> Answer {
        let wrong: [StepAnswer] = [
            .code("000000"), .code(""), .password("not the password"), .recoveryCode("aaaaa-aaaaa"),
            .challenge("aaaaa-aaaaa"), .choice("wish"), .passwordForgotten, .separateAccount, .nothing,
            .newPassword("short", attributes: [:]), .email("no address"), .code(String(repeating: "1", count: 50)),
        ]
        return Answer(answer: wrong.randomElement(using: &random) ?? .nothing, thing: nil)
    }

    private func replayed(_ random: inout SplitMix) -> Answer {
        Answer(answer: accepted.randomElement(using: &random)?.answer ?? .code("000000"), thing: nil)
    }

    /// Correct for another step only.
    private mutating func ofAnotherStep(_ random: inout SplitMix) -> Answer {
        guard let step = flow.progress.step else { return wrong(&random) }
        if step is TOTPStep || step is TOTPSetUpStep {
            return Answer(answer: .password(bench.password), thing: nil)
        }
        let secret = secrets.values.first ?? []
        let foreign = TOTP.code(secret: secret, step: bench.now / TOTP.period)
        return Answer(answer: .code(foreign == code ? "000000" : foreign), thing: nil)
    }

    private mutating func recoveryCode() -> Answer {
        guard let code = recoveryCodes.first else { return Answer(answer: .nothing, thing: nil) }
        return Answer(answer: .recoveryCode(code.uppercased()), thing: "recoveryCode")
    }

    private mutating func right(for step: any FlowStep, _ random: inout SplitMix) -> Answer {
        switch step {
        case is PasswordStep: return Answer(answer: .password(bench.password), thing: "password")
        case is TOTPStep:
            let secret = secrets.values.first ?? []
            return totp(secret)
        case let step as TOTPSetUpStep:
            return totp(step.secret)
        case is RecoveryCodeStep: return recoveryCode()
        case let step as SetUpSelectionStep:
            return Answer(
                answer: .choice(step.offered.randomElement(using: &random)?.rawValue ?? ""), thing: nil)
        case is AddressSetUpStep:
            let address = Bool.random(using: &random) ? ProvedThing.own : ProvedThing.other
            return Answer(answer: .email(address), thing: nil)
        case is NewPasswordStep:
            return Answer(answer: .newPassword("another heron over the weir", attributes: [:]), thing: nil)
        default:
            let thing = step.dispatch.map { dispatch in
                dispatch.destination.medium == .sms ? "phone" : "the mailbox \(dispatch.destination.text)"
            }
            return Answer(answer: .code(code), thing: thing)
        }
    }

    private func totp(_ secret: [UInt8]) -> Answer {
        Answer(answer: .code(TOTP.code(secret: secret, step: bench.now / TOTP.period)), thing: "totp")
    }

    // MARK: What the database does with a right answer

    mutating func accept(_ right: Right, _ answer: Answer) {
        if let typed = right.code, typed != code {
            refused += 1
            return
        }
        for effect in right.effects {
            switch effect {
            case .usedTOTP(let factor, let step): use(factor, step)
            case .usedRecoveryCode(let digests):
                let tools = bench.tools
                guard
                    let index = recoveryCodes.firstIndex(where: {
                        digests.contains(tools.recoveryCodes.digest($0, account: account))
                    })
                else {
                    refused += 1
                    return
                }
                recoveryCodes.remove(at: index)
                factors.recoveryCodes -= 1
            default: break
            }
        }
        if case .factor(let new)? = right.enrols {
            factors.isProtected = true
            factors.factors.append(.test(new.kind, new.addressKey, id: new.id, sealed: new.sealed ?? []))
        }
        flow.progress.newPassword = right.newPassword ?? flow.progress.newPassword
        guard let proof = right.proof else { return }
        check(answer.thing != nil, "\(proof) was proved by \(answer.answer)")
        if let thing = answer.thing { truth.insert(thing) }
        flow.proofs = flow.proofs.adding(proof)
        accepted.append(answer)
    }

    private mutating func use(_ id: UUID, _ step: Int) {
        factors.factors = factors.factors.map { factor in
            guard factor.id == id else { return factor }
            return AccountFactors.Factor(
                id: id, kind: .totp, name: nil, address: nil, addressKey: nil, sealed: factor.sealed, counter: step,
                isPreferred: false, addedAt: .noon, usedAt: nil)
        }
    }
}
