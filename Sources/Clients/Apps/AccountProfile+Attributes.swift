package import Vocabulary

extension AccountProfile {
    /// The same with the attributes of one client alone, by its names.
    package func keeping(_ attributes: [ClientAttribute]) -> AccountProfile {
        var kept = self
        kept.attributes = attributes.shown(self.attributes)
        return kept
    }
}
