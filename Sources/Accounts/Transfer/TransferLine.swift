package import Foundation
import JSON

/// A line of a transfer file: an identity of this database, and its transfer subject.
///
/// It contains neither subject nor address of the user.
package struct TransferLine: Sendable, Equatable {
    package let identity: UUID
    package let transferSubject: String

    package init(identity: UUID, transferSubject: String) {
        (self.identity, self.transferSubject) = (identity, transferSubject)
    }

    /// Nil for any other text.
    package init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let identity = json["identity"]?.string.flatMap(UUID.init(text:)),
            let subject = json["transfer_sub"]?.string, (1...255).contains(subject.utf8.count)
        else { return nil }
        (self.identity, transferSubject) = (identity, subject)
    }

    /// Whether the bytes may be a truncated line.
    package static func couldBegin(with bytes: [UInt8]) -> Bool {
        zip(bytes, Array(#"{"identity":""#.utf8)).allSatisfy { $0 == $1 }
    }

    /// Including its end.
    package var bytes: [UInt8] {
        JSON.object(["identity": .string(identity.text), "transfer_sub": .string(transferSubject)]).bytes() + [0x0A]
    }
}
