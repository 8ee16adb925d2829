import Cryptography
package import Foundation
import JSON

/// A line of the file that goes from one team to the other: an identity of this database, and who it is in between.
///
/// Neither subject nor address of the person stand in it.
package struct TransferLine: Sendable, Equatable {
    package let identity: UUID
    package let transferSubject: String

    package init(identity: UUID, transferSubject: String) {
        (self.identity, self.transferSubject) = (identity, transferSubject)
    }

    /// Nil for what is no such line.
    package init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let identity = json["identity"]?.string.flatMap(UUID.init(text:)),
            let subject = json["transfer_sub"]?.string, (1...255).contains(subject.utf8.count)
        else { return nil }
        (self.identity, transferSubject) = (identity, subject)
    }

    /// Whether some bytes may be a line that was cut off.
    package static func couldBegin(with bytes: [UInt8]) -> Bool {
        zip(bytes, Array(#"{"identity":""#.utf8)).allSatisfy { $0 == $1 }
    }

    /// With its end.
    package var bytes: [UInt8] {
        JSON.object(["identity": .string(identity.text), "transfer_sub": .string(transferSubject)]).bytes() + [0x0A]
    }
}
