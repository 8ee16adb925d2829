import OperatorAccess

extension AdminRefusal {
    /// The same refusal without the list of what would be accepted.
    var fault: AdminRefusal {
        guard case .invalidMember(let pointer, let reason, _) = self else { return self }
        return .invalidMember(pointer: pointer, reason: reason)
    }

    /// What would be accepted.
    var accepted: [String] { if case .invalidMember(_, _, let accepted) = self { accepted } else { [] } }
}
