/// What the `nonce` claim of a token proves.
package enum TokenNonce: Sendable, Equatable {
    /// The nonce that came with the token.
    case posted(String)
    /// A nonce that did not come along, as an SDK makes one for itself: it proves nothing here.
    case foreign(String)
}
