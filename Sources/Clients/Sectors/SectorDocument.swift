import JSON
package import Outbound

/// The document of a sector: a JSON list of the redirect addresses of its apps (Dynamic Client Registration §5).
package struct SectorDocument: Sendable, Equatable {
    package let address: String
    let redirectURIs: Set<String>

    /// In bytes.
    fileprivate static let longest = 65_536

    init(parsing body: [UInt8], at address: String) throws(SectorFault) {
        guard let list = (try? JSON(parsing: body))?.array else { throw .notAList }
        let texts = list.compactMap(\.string)
        guard texts.count == list.count else { throw .notAList }
        (self.address, redirectURIs) = (address, Set(texts))
    }
}

/// Fetches the documents of sectors, when a client is made or changed.
package struct SectorDocuments: Sendable {
    private let transport: any HTTPTransport

    package init(transport: any HTTPTransport) { self.transport = transport }

    package func document(at address: String) async throws(SectorFault) -> SectorDocument {
        var request = HTTPRequest(method: .get, url: address, headers: [("Accept", "application/json")])
        request.maximumBytes = SectorDocument.longest
        let response: HTTPResponse
        do throws(TransferError) {
            response = try await transport.send(request)
        } catch {
            throw .unreachable
        }
        guard response.status == 200 else { throw .unreachable }
        return try SectorDocument(parsing: response.body, at: address)
    }
}
