/// A step is judged only while it is due: an account may gain a factor after the step was shown.
extension StepContext {
    /// Whether the step is still due.
    func isDue(_ step: any FlowStep) -> Bool {
        guard flow.proofs.list.isEmpty, flow.session == nil else {
            // A requested factor may be proved, even if the device is remembered by now.
            var course = course
            course.isRemembered = false
            return step.isDue(course.next(after: flow.proofs, choosesPassword: flow.newPassword != nil))
        }
        return step is FirstFactorSelectionStep || step is ResetPasswordStep || FirstFactor(of: step) != nil
    }
}

extension FlowStep {
    func isDue(_ next: SignInCourse.Next) -> Bool { false }
}

extension SignInCourse.Next {
    /// What may be asked as a second factor; empty where none is due.
    var candidates: [SignInCourse.Candidate] {
        if case .secondFactor(let candidates) = self { candidates } else { [] }
    }

    /// Whether a factor is to be set up.
    var isSetUp: Bool {
        if case .setUp = self { true } else { false }
    }

    /// Whether the account has a factor of the kind that may be asked.
    func asks(for kind: AccountFactors.Kind) -> Bool {
        candidates.contains { candidate in
            if case .factor(let factor) = candidate { factor.kind == kind } else { false }
        }
    }
}
