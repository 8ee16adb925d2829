import ArgumentParser
import Clients
import JSON
import Sessions
import Telemetry

extension ClientsCommand.Show {
    /// Prints the metadata that the server of an API publishes (RFC 9728), and where.
    ///
    /// - Parameter shown: the client, as the desk returns it.
    /// - Throws: `ValidationError` with the remedy, for an API that the client does not serve.
    static func writeMetadata(of identifier: String, _ shown: JSON, publicURL: String) throws {
        let settings = try? OpenIDSettings(parsing: shown["openid"]?.object ?? [:])
        guard let resource = settings?.resources.first(where: { $0.identifier == identifier }) else {
            let id = shown["id"]?.string ?? ""
            throw ValidationError(
                "The app \(id) serves no API \(identifier). Its APIs are the resources of: gateway clients show \(id)")
        }
        Terminal.write(ResourceMetadata(of: resource, issuer: publicURL).json.indented)
        if let address = resource.metadataAddress { Terminal.complain("Serve it at \(address)") }
    }
}
