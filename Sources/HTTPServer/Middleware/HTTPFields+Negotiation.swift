package import HTTPTypes

/// The form of an answer that a caller prefers (RFC 9110 section 12.5).
extension HTTPFields {
    /// Whether the caller prefers a page to JSON, as browsers do.
    ///
    /// `*/*` prefers neither, so other callers get a problem document.
    package var prefersPage: Bool {
        guard let ranges = value(.accept).map(WeightedRange.all) else { return false }
        let page = Self.weight(of: ["text/html", "text/*", "*/*"], in: ranges) ?? 0
        let json = ["application/problem+json", "application/json"].map { type in
            Self.weight(of: [type, "application/*", "*/*"], in: ranges) ?? 0
        }
        return json.allSatisfy { page > $0 }
    }

    /// Whether a body may be compressed by gzip.
    ///
    /// Without the header, any coding is allowed, but old clients that omit it can't read gzip.
    var acceptsGzip: Bool {
        guard let ranges = value(.acceptEncoding).map(WeightedRange.all) else { return false }
        let gzip = Self.weight(of: ["gzip", "x-gzip", "*"], in: ranges) ?? 0
        return gzip > 0 && gzip >= Self.weight(of: ["identity"], in: ranges) ?? 0
    }

    /// The weight of the first of these names that the ranges contain.
    private static func weight(of names: [String], in ranges: [WeightedRange]) -> Int? {
        names.lazy.compactMap { name in ranges.first { $0.name.lowercased() == name }?.weight }.first
    }
}
