/// Why a member of an object was not read.
package struct MemberError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// It is absent, null or an empty text.
        case missing
        /// The text has too many bytes.
        case tooLong
        /// The member is unknown; the object accepts the known ones.
        case unknown(known: [String])
        /// It has another type than this one.
        case notA(Kind)
    }

    /// A type that a reader expects.
    package enum Kind: Sendable, CaseIterable {
        case text, bool, array, object
    }

    /// The names that lead from the object to the member.
    package let path: [String]
    package let reason: Reason

    /// The member as a JSON Pointer (RFC 6901), relative to the object.
    package var pointer: String { JSONPointer.text(path) }

    /// The members that the object accepts, for an unknown member; empty for other reasons.
    package var accepted: [String] { if case .unknown(let known) = reason { known } else { [] } }

    init(_ path: String..., reason: Reason) {
        (self.path, self.reason) = (path, reason)
    }
}
