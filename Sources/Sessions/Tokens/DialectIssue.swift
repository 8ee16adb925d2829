import Foundation

/// The claims of a vendor's token that depend on its issue alone.
struct DialectIssue {
    let issuer: String
    let tokenID: String
    let issuedAt: Date
    /// In seconds.
    let life: Int

    init(_ issuer: String, tokenID: String, at issuedAt: Date, life: Int) {
        (self.issuer, self.tokenID, self.issuedAt, self.life) = (issuer, tokenID, issuedAt, life)
    }
}
