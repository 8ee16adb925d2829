package import JSON

extension ClientAttribute {
    /// The position of a client's shared attribute that another client lets another side write; nil without one.
    ///
    /// The apps have one value, so the laxest of them would decide who writes it.
    ///
    /// - Parameters:
    ///   - client: its record, with `attributes` and `dialects`.
    ///   - others: the records of the other clients.
    package static func disputed(in client: JSON, among others: [JSON]) -> Int? {
        let theirs = others.flatMap { sharedAttributes(of: $0) }
        let disputed = sharedAttributes(of: client).first { own in
            theirs.contains { $0.name == own.name && $0.writer != own.writer }
        }
        guard let disputed else { return nil }
        return client["attributes"]?.array?.firstIndex { $0["name"]?.string == disputed.name }
    }

    /// The shared attributes of a client, with the writers that its protocols set.
    private static func sharedAttributes(of client: JSON) -> [ClientAttribute] {
        let dialects = client["dialects"]?.object.flatMap { try? ClientDialects(parsing: $0) }
        return [ClientAttribute](client["attributes"] ?? .null).filter(\.isShared)
            .map { $0.owned(by: "", in: dialects ?? ClientDialects.none) }
    }
}
