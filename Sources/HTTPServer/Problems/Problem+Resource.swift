package import Clients
import HTTPTypes

extension Problem {
    /// The same with the address of the resource's metadata, if it asks for a token (RFC 9728 §5.1).
    package func naming(_ resource: OwnResource, _ context: GatewayContext) -> Problem {
        guard let challenge = headers[.wwwAuthenticate] else { return self }
        var problem = self
        let metadata = context.publicURL + resource.metadataPath
        problem.headers[.wwwAuthenticate] = "\(challenge), resource_metadata=\"\(metadata)\""
        return problem
    }
}
