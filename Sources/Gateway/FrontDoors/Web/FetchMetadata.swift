import HTTPTypes

/// What a browser says of where a request comes from (W3C Fetch Metadata, `Origin`).
///
/// Said by browsers alone, so its absence means nothing: the form's token and the flow's state decide.
enum FetchMetadata {
    /// Whether the browser says that another site sent this (Fetch Metadata, `Origin`).
    ///
    /// Said by the browser alone, so its absence means nothing: the token decides.
    static func isForeign(_ headers: HTTPFields, ownOrigin: String) -> Bool {
        if let site = headers.value(.secFetchSite), site != "same-origin", site != "none" { return true }
        guard let origin = headers.value(.origin), origin != "null" else { return false }
        return origin != ownOrigin
    }

    /// Whether the browser is going somewhere, as opposed to fetching something for a page, which any site can make it
    /// do unseen.
    static func isNavigation(_ headers: HTTPFields) -> Bool {
        headers.value(.secFetchDest).map { $0 == "document" } ?? true
    }
}

extension HTTPField.Name {
    static let secFetchSite = known("Sec-Fetch-Site")
    static let secFetchDest = known("Sec-Fetch-Dest")
}
