package import JSON

/// The protocols of other vendors that a client speaks, with its identifiers there; none by default.
package struct ClientDialects: Sendable, Equatable {
    /// The API of Amazon Cognito user pools.
    package let cognito: CognitoApp?
    /// Microsoft's native authentication API.
    package let nativeAuth: NativeAuthApp?

    /// Speaks only the gateway's own API.
    package static let none = ClientDialects()

    package init(cognito: CognitoApp? = nil, nativeAuth: NativeAuthApp? = nil) {
        (self.cognito, self.nativeAuth) = (cognito, nativeAuth)
    }

    /// Parses `{"cognito": {…} | null, "native_auth": {…} | null}`.
    ///
    /// - Throws: the first fault.
    package init(parsing json: JSONObject) throws(MemberFault) {
        let read = Self.read(json)
        if let fault = read.faults.first { throw fault }
        self = read.dialects
    }

    /// Every fault of the members.
    package static func faults(in json: JSONObject) -> [MemberFault] { read(json).faults }

    private static func read(_ json: JSONObject) -> (dialects: ClientDialects, faults: [MemberFault]) {
        var faults = json.members.map(\.name).filter { name in !TokenDialect.ofVendors.contains { $0.rawValue == name }
        }
        .map {
            MemberFault(
                path: [$0], reason: "unknown_member", accepted: TokenDialect.ofVendors.map(\.rawValue))
        }
        let cognito = settings(CognitoApp.self, .cognito, CognitoApp.members, json, &faults)
        let nativeAuth = settings(NativeAuthApp.self, .nativeAuth, NativeAuthApp.members, json, &faults)
        return (ClientDialects(cognito: cognito, nativeAuth: nativeAuth), faults)
    }

    private static func settings<Settings: DialectSettings>(
        _ type: Settings.Type, _ dialect: TokenDialect, _ known: [String], _ json: JSONObject,
        _ faults: inout [MemberFault]
    ) -> Settings? {
        guard let value = json[dialect.rawValue], !value.isNull else { return nil }
        guard let members = value.object else {
            faults.append(MemberFault(path: [dialect.rawValue], reason: "must_be_object"))
            return nil
        }
        var reader = MemberReader(members, at: [dialect.rawValue], known: known)
        let settings = Settings(&reader)
        faults += reader.faults
        return settings
    }

    /// The dialects that are spoken.
    package var json: JSON {
        var json: JSONObject = [:]
        json[TokenDialect.cognito.rawValue] = cognito?.json
        json[TokenDialect.nativeAuth.rawValue] = nativeAuth?.json
        return .object(json)
    }
}

/// The settings of one dialect.
protocol DialectSettings {
    /// Reads the members; a fault of the reader makes the settings unusable.
    init(_ reader: inout MemberReader)
}

extension Client {
    /// The issuer of the app's tokens in a dialect.
    ///
    /// - Parameter origin: the gateway's public address.
    package func issuer(in dialect: TokenDialect, at origin: String) -> String {
        let issuer: String? =
            switch dialect {
            case .gateway: nil
            case .cognito: dialects.cognito?.issuer(at: origin)
            case .nativeAuth: dialects.nativeAuth?.issuer(at: origin)
            }
        return issuer ?? origin
    }
}

extension Client {
    /// The realm of its users' SRP verifiers; nil where its dialects need none.
    package var srpRealm: String? { dialects.cognito?.realm }
}
