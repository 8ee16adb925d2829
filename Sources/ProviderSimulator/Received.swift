import FoundationEssentials
import HTTPTypes

/// A request for the providers: complete, with a parsed query.
struct Received: Sendable {
    let path: String
    /// The query unchanged, for passing it on.
    let queryText: String
    let query: Parameters
    let headers: HTTPFields
    let body: [UInt8]
    /// Scheme and authority of the caller's request, so that documents can name our own addresses.
    let base: String
    let now: Date

    /// The only value of a header, by its name in lower case; throws if it was sent twice.
    func header(_ name: String) throws(Refusal) -> String? {
        let fields = headers.filter { $0.name.canonicalName == name }
        guard fields.count <= 1 else { throw .invalidRequest("the header \(name) was sent more than once") }
        return fields.first?.value
    }

    /// The parameters of the form; the content type must match, and the query must be empty.
    func form(required: Set<String>, optional: Set<String> = []) throws(Refusal) -> Parameters {
        try expectNoQuery()
        guard mediaType == "application/x-www-form-urlencoded" else {
            throw .invalidRequest("the content type must be application/x-www-form-urlencoded")
        }
        let form: Parameters
        do { form = try Parameters(parsing: body) } catch { throw .invalidRequest(error.description) }
        do { try form.expect(required: required, optional: optional) } catch {
            throw .invalidRequest(error.description)
        }
        return form
    }

    func expectNoQuery() throws(Refusal) {
        guard let name = query.names.first else { return }
        throw .invalidRequest("the query parameter \(name) is not known here")
    }

    func expectNoBody() throws(Refusal) {
        guard body.isEmpty else { throw .invalidRequest("a GET request carries no body") }
    }

    var mediaType: String {
        let value = headers[.contentType] ?? ""
        return value.prefix { $0 != ";" }.trimming(where: { $0 == " " }).lowercased()
    }
}

extension Substring {
    fileprivate func trimming(where drop: (Character) -> Bool) -> String {
        String(self.drop(while: drop).reversed().drop(while: drop).reversed())
    }
}
