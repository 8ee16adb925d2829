/// A credential's use, verified: what the relying party updates of it.
package struct Assertion: Equatable, Sendable {
    package let credentialID: [UInt8]
    package let signCount: UInt32
    package let isUserVerified: Bool
    package let isBackedUp: Bool
}
