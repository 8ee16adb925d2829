import Accounts
import Cryptography
import Foundation
import Vocabulary

/// The state of a flow that no function of the schema reads: it is sealed in the flow's row.
struct FlowProgress: Codable, Sendable {
    private var pending: StoredStep?
    /// The first factors that were offered.
    var firstFactors: [FirstFactor] = []
    /// The verifiers of a password that was chosen in this flow; it counts at the end.
    var newPassword: PasswordVerifiers?
    /// The digest of the device that proved itself in place of the second factor.
    var provedDevice: [UInt8]?
    /// Whether this device is to be remembered.
    var remembersDevice = false

    init(step: (any FlowStep)? = nil, firstFactors: [FirstFactor] = []) {
        self.firstFactors = firstFactors
        self.step = step
    }

    /// The pending step; nil before the first one.
    var step: (any FlowStep)? {
        get { pending?.step }
        set { pending = newValue.map(StoredStep.init) }
    }

    /// Sealed for the row of this flow alone.
    func sealed(_ box: SealedBox, _ flow: UUID) throws -> [UInt8] {
        box.seal(Array(try JSONEncoder().encode(self)), purpose: Self.purpose(flow))
    }

    /// - Throws: for a state of another flow or another form, and for one sealed with a removed key.
    init(opening sealed: [UInt8], _ box: SealedBox, _ flow: UUID) throws {
        let plain = try box.open(sealed, purpose: Self.purpose(flow))
        self = try JSONDecoder().decode(FlowProgress.self, from: Data(plain))
    }

    private static func purpose(_ flow: UUID) -> String { "flow \(flow.uuidString)" }
}
