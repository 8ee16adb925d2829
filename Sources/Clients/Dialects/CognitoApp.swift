import Cryptography
import JSON

/// An app's identifiers in the API of Amazon Cognito user pools.
package struct CognitoApp: DialectSettings, Sendable, Equatable {
    /// The user pool's id: a region, one underscore, letters and digits.
    ///
    /// Clients split it at the underscore and read the region, so the region must look real.
    package let poolID: String
    /// The app client's id.
    package let clientID: String
    /// Whether answers reveal that a user does not exist (`PreventUserExistenceErrors` = `LEGACY`).
    package let revealsUsers: Bool
    /// Whether sign-ins offer the device a secret of its own, which may replace the second factor later.
    package let remembersDevices: DeviceTracking
    /// Whether every code needs a proof key in the form of RFC 7636, which user pools do not ask for.
    package let isStrictAboutProofKeys: Bool
    /// The services for which the app may exchange tokens of the pool's users (`GetDerivedToken`); none by default.
    package let exchangeAudiences: [String]

    /// The pool's device tracking.
    package enum DeviceTracking: String, Sendable, CaseIterable {
        case never
        /// The app asks the user, and calls `UpdateDeviceStatus`.
        case optIn = "opt_in"
        case always
    }

    package init(
        poolID: String, clientID: String, revealsUsers: Bool = false, remembersDevices: DeviceTracking = .never,
        isStrictAboutProofKeys: Bool = false, exchangeAudiences: [String] = []
    ) {
        (self.poolID, self.clientID, self.revealsUsers) = (poolID, clientID, revealsUsers)
        (self.remembersDevices, self.isStrictAboutProofKeys) = (remembersDevices, isStrictAboutProofKeys)
        self.exchangeAudiences = exchangeAudiences
    }

    /// The namespace of the pool's devices, `DeviceGroupKey`.
    package var deviceGroup: String {
        "-" + Hex.encode(Array(SHA256.hash(Array("device group\u{0}\(poolID)".utf8)).prefix(4)))
    }

    /// The pool's name without its region: the realm of SRP.
    package var realm: String { String(poolID.drop { $0 != "_" }.dropFirst()) }

    /// The region of the pool.
    package var region: String { String(poolID.prefix { $0 != "_" }) }

    /// The issuer of the app's tokens.
    ///
    /// - Parameter origin: the gateway's public address.
    package func issuer(at origin: String) -> String { "\(origin)/\(poolID)" }

    private static let (mostPoolID, mostClientID) = (55, 128)
    private static let (mostAudiences, mostAudience) = (20, 256)

    /// Parses `{"pool_id", "client_id", "reveals_users"?, "remembers_devices"?, "strict_pkce"?, "exchange_audiences"?}`.
    init(_ reader: inout MemberReader) {
        poolID = reader.required("pool_id", Self.isPoolID)
        clientID = reader.required("client_id", Self.isClientID)
        revealsUsers = reader.flag("reveals_users")
        let tracking = reader.optional("remembers_devices") { DeviceTracking(rawValue: $0) != nil }
        remembersDevices = tracking.flatMap(DeviceTracking.init(rawValue:)) ?? .never
        isStrictAboutProofKeys = reader.flag("strict_pkce")
        exchangeAudiences = Self.audiences(reader.optional("exchange_audiences", Self.areAudiences) ?? "")
    }

    static let members = [
        "pool_id", "client_id", "reveals_users", "remembers_devices", "strict_pkce", "exchange_audiences",
    ]

    /// The names of services, with spaces between.
    private static func audiences(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// Visible ASCII without quotation marks and backslashes, as SDKs check it.
    private static func areAudiences(_ text: String) -> Bool {
        let audiences = audiences(text)
        return audiences.count <= mostAudiences
            && audiences.allSatisfy {
                $0.utf8.count <= mostAudience && $0.wholeMatch(of: /[\x21\x23-\x5B\x5D-\x7E]+/) != nil
            }
    }

    /// Two letters, words and a digit, joined by hyphens, such as `eu-central-1`; then `_` and letters or digits.
    private static func isPoolID(_ text: String) -> Bool {
        text.utf8.count <= mostPoolID && text.wholeMatch(of: /[a-z]{2}(-[a-z]+)+-[0-9]_[0-9A-Za-z]+/) != nil
    }

    /// Letters, digits, `_` and `+`, as SDKs check it.
    private static func isClientID(_ text: String) -> Bool {
        (1...mostClientID).contains(text.utf8.count) && text.wholeMatch(of: /[0-9A-Za-z_+]+/) != nil
    }

    var json: JSON {
        var json: JSONObject = [
            "pool_id": .string(poolID), "client_id": .string(clientID), "reveals_users": .bool(revealsUsers),
            "remembers_devices": .string(remembersDevices.rawValue), "strict_pkce": .bool(isStrictAboutProofKeys),
        ]
        if !exchangeAudiences.isEmpty {
            json["exchange_audiences"] = .string(exchangeAudiences.joined(separator: " "))
        }
        return .object(json)
    }
}

/// The proof keys of codes (RFC 7636) at the endpoints of a pool.
extension Client {
    /// Whether the app may rely on its secret alone, as user pools allow.
    package var mayOmitProofKey: Bool { kind == .confidential && dialects.cognito?.isStrictAboutProofKeys == false }

    /// The verifier of a claim without one; nil where the app must send it.
    package var verifierOfAbsentProofKey: String? { mayOmitProofKey ? AbsentProofKey.verifier : nil }

    /// The shortest verifier.
    ///
    /// flask-cognito-lib removes the signs from 43 characters, mostly one to four of them. User pools take the rest.
    package var shortestVerifier: Int {
        dialects.cognito?.isStrictAboutProofKeys == false ? 32 : PKCE.shortestVerifier
    }
}
