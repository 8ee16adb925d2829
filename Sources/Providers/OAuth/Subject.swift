import Cryptography
import JSON
import Outbound

/// Subjects that a faulty issuer writes instead of a missing one, so that many users would share an account.
enum Subject {
    static func isPlaceholder(_ subject: String) -> Bool {
        ["undefined", "null", "nil", "none", "nan", "(null)", "[object object]"]
            .contains { ASCII.equalIgnoringCase($0, subject) }
    }

    /// Whether a subject is a positive decimal number of at most 20 digits, in its only spelling.
    static func isDecimal(_ subject: String) -> Bool {
        let digits = subject.utf8
        return (1...20).contains(digits.count) && digits.first != UInt8(ascii: "0")
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The subject in a member that must hold such a number as text.
    static func decimal(_ member: JSON?) throws(ProviderError) -> String {
        guard let subject = member?.string, isDecimal(subject) else { throw .refused(.subjectInvalid) }
        return subject
    }
}
