import HTTPServer
package import HTTPTypes

/// The origin of a request, as the browser reports it (W3C Fetch Metadata, `Origin`).
///
/// Only browsers report it, so its absence means nothing. The form's token and the flow's state decide.
package enum FetchMetadata {
    /// Whether the browser reports another site as the sender (Fetch Metadata, `Origin`).
    ///
    /// Only browsers report it, so its absence means nothing. The token decides.
    package static func isForeign(_ headers: HTTPFields, ownOrigin: String) -> Bool {
        if let site = headers.value(.secFetchSite), site != "same-origin", site != "none" { return true }
        guard let origin = headers.value(.origin), origin != "null" else { return false }
        return origin != ownOrigin
    }

    /// Whether the browser navigates to the address.
    ///
    /// The alternative is fetching a part of a page, which any site can cause unseen.
    package static func isNavigation(_ headers: HTTPFields) -> Bool {
        headers.value(.secFetchDest).map { $0 == "document" } ?? true
    }
}

extension HTTPField.Name {
    static let secFetchSite = known("Sec-Fetch-Site")
    static let secFetchDest = known("Sec-Fetch-Dest")
}
