import Clients
import Messages
import Sessions
import Vocabulary

extension FirstFactor {
    var kind: StepChoice.Kind {
        switch self {
        case .password: .password
        case .emailCode: .emailCode
        case .smsCode: .smsCode
        case .passkey: .passkey
        }
    }

    /// The offered first factors: the same for known and unknown names, so that the offer reveals nothing.
    static func offered(for name: SignInName, by client: Client) -> [FirstFactor] {
        allCases.filter { factor in
            guard client.allows(provider: factor.rawValue) else { return false }
            switch factor {
            case .password, .passkey: return true
            case .emailCode: return name.kind == .email
            case .smsCode: return name.kind == .phone
            }
        }
    }
}

/// The choice between several first factors.
struct FirstFactorSelectionStep: FlowStep {
    static let kind = "first_factor_selection"
    let offered: [FirstFactor]

    init(_ offered: [FirstFactor]) { self.offered = offered }

    var isGuessed: Bool { false }
    var isFirst: Bool { true }

    func shown(_ context: FlowContext) -> SignInStep {
        .firstFactorSelection(offered.map { StepChoice($0.kind) })
    }

    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        let name = try response.answer.chosen()
        guard let chosen = offered.first(where: { $0.rawValue == name }),
            let step = chosen.step(for: context.flow.name ?? "", context.tools)
        else { throw .invalidField(.factor, .notOffered.accepting(offered.map(\.rawValue))) }
        return .goOn(step)
    }
}

extension FlowContext {
    /// Whether the flow has no proof yet, so that another first factor may begin it.
    private var mayBeginOtherwise: Bool { flow.proofs.list.isEmpty && flow.session == nil }

    func otherFirstFactors(than step: any FlowStep) -> [StepChoice] {
        guard mayBeginOtherwise, let asked = FirstFactor(of: step) else { return [] }
        return flow.progress.firstFactors.filter { $0 != asked }.map { StepChoice($0.kind) }
    }

    /// The step of another first factor.
    func otherFirstFactor(named name: String) -> (any FlowStep)? {
        guard mayBeginOtherwise else { return nil }
        return flow.progress.firstFactors.first { $0.rawValue == name }?.step(for: flow.name ?? "", tools)
    }
}

extension FirstFactor {
    /// The first factor of a step; nil for other steps.
    init?(of step: any FlowStep) {
        switch step {
        case is PasswordStep, is SRPStep: self = .password
        case is PasskeyStep: self = .passkey
        case let step as CodeStep: self = step.dispatch?.destination.medium == .sms ? .smsCode : .emailCode
        default: return nil
        }
    }

    /// Nil for a name of another kind.
    func step(for name: String, _ tools: StepTools) -> (any FlowStep)? {
        switch self {
        case .password: PasswordStep()
        case .emailCode: EmailAddress(name).map { CodeStep(.email($0)) }
        case .smsCode: PhoneNumber(name).map { CodeStep(.phone($0)) }
        case .passkey: tools.relyingParty.map { _ in PasskeyStep(isFirst: true) }
        }
    }
}
