/// A provider's sealed refresh token, and the provider's client id for it.
package struct SealedProviderToken: Sendable, Equatable {
    package let clientID: String
    package let sealed: [UInt8]

    package init(clientID: String, sealed: [UInt8]) {
        (self.clientID, self.sealed) = (clientID, sealed)
    }

    /// The purpose of the seal.
    package static let purpose = "provider token"
}
