package import JSON
package import Outbound

/// Reads the answer of a claims service, as strictly as Entra does.
package enum TokenIssuanceAnswer {
    /// Why an answer is unusable; the raw value is the word for logs.
    package enum Fault: String, Error, Sendable, CaseIterable {
        case status, contentType = "content_type", body, dataType = "data_type", actions, actionType = "action_type"
        case claims, key, value, size
    }

    /// The limit of keys and values together, in bytes.
    static let mostClaims = 3_072
    /// The limit of the whole body, in bytes.
    static let mostBody = 16_384

    private static let data = JSON.string("microsoft.graph.onTokenIssuanceStartResponseData")
    private static let action = JSON.string("microsoft.graph.tokenIssuanceStart.provideClaimsForToken")

    /// The claims of the only action: texts, and lists of texts.
    package static func claims(in response: HTTPResponse) throws(Fault) -> JSONObject {
        guard response.status == 200 else { throw .status }
        guard response.isJSON else { throw .contentType }
        guard response.body.count <= mostBody, let json = try? JSON(parsing: response.body) else { throw .body }
        guard json["data"]?["@odata.type"] == data else { throw .dataType }
        guard let actions = json["data"]?["actions"]?.array, actions.count == 1 else { throw .actions }
        guard actions[0]["@odata.type"] == action else { throw .actionType }
        guard let claims = actions[0]["claims"]?.object else { throw .claims }
        var size = 0
        for member in claims.members {
            guard !member.name.isEmpty else { throw .key }
            size += member.name.utf8.count + (try bytes(of: member.value))
        }
        guard size <= mostClaims else { throw .size }
        return claims
    }

    private static func bytes(of value: JSON) throws(Fault) -> Int {
        if let text = value.string { return text.utf8.count }
        guard let list = value.array else { throw .value }
        var size = 0
        for item in list {
            guard let text = item.string else { throw .value }
            size += text.utf8.count
        }
        return size
    }
}
