package import Hummingbird
import JSON

extension Request {
    /// Refuses other parameters of the query: a misspelt filter would return every row.
    ///
    /// - Parameter known: the possible parameters.
    /// - Throws: ``Problem`` 400 `invalid_request` with the known ones, or as ``FormBody/init(_:allowsRepeated:)``.
    package func limitQuery(to known: [String]) throws(Problem) {
        guard let query = uri.query else { return }
        for (name, _) in try FormBody(Array(query.utf8)).fields where !known.contains(name) {
            throw .invalidMember(JSONPointer.text([name]), "unknown_parameter", accepted: known)
        }
    }
}
