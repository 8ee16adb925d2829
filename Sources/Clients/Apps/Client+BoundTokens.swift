package import Vocabulary

extension Client {
    /// Requires a key of a client whose access tokens must all be bound to one (RFC 9449 §5.2).
    ///
    /// Each place that makes tokens asks before it spends anything. The protocols of other vendors have no bound tokens.
    ///
    /// - Parameter key: the thumbprint of the key that the request proved.
    /// - Throws: `keyProofInvalid`.
    package func requireKey(_ key: String?, at dialect: TokenDialect = .gateway) throws(Rejection) {
        guard !openID.bindsTokens || key != nil && dialect == .gateway else { throw .keyProofInvalid }
    }
}
