import Cryptography
package import JSON

/// A client's settings as a relying party of OpenID Connect.
package struct OpenIDSettings: Sendable, Equatable {
    /// Which requests give a refresh token.
    package enum RefreshTokens: String, Sendable, CaseIterable {
        /// Every request.
        case always
        /// A request with the scope `offline_access` (OpenID Connect Core §11).
        case offlineAccess = "offline_access"
    }

    /// How apps know their users (OpenID Connect Core §8).
    package enum SubjectType: String, Sendable, CaseIterable {
        /// By the account's id.
        case `public`
        /// By a subject that only the apps of one sector share.
        case pairwise
    }

    /// The forms of the UserInfo answer (OpenID Connect Core §5.3.2).
    package enum UserInfoForm: String, Sendable, CaseIterable {
        /// JSON.
        case none
        case rs256 = "RS256"
        case es256 = "ES256"

        /// The algorithm of the signature; nil for JSON.
        package var algorithm: TokenProfile.Algorithm? { .init(rawValue: rawValue) }
    }

    /// Whether it is another maker's app, so that its users consent to what it gets.
    package let isThirdParty: Bool
    /// Whether a confidential client may send no proof key (RFC 7636), as some stock clients do.
    package let mayOmitProofKey: Bool
    package let idTokenAlgorithm: TokenProfile.Algorithm
    /// Whether the scopes `profile`, `email`, `phone` and `address` add claims to ID tokens, beside the UserInfo endpoint.
    package let idTokensHaveClaims: Bool
    /// The scopes of the gateway's own tokens that the app may ask for.
    package let scopes: Set<TokenScope>
    package let refreshTokens: RefreshTokens
    package let userInfo: UserInfoForm
    package let subjectType: SubjectType
    /// The document whose host is the sector, and which lists the redirect addresses of its apps (Dynamic Client Registration §5).
    package let sectorIdentifierURI: String?
    /// The permitted destinations after a sign-out (OpenID Connect RP-Initiated Logout §3.1).
    package let postLogoutRedirectURIs: [String]
    /// Where sign-outs are reported (OpenID Connect Back-Channel Logout §2.2).
    package let backChannelLogoutURI: String?
    /// Whether every authorization request must be pushed (RFC 9126 §6).
    package let requiresPushedRequests: Bool
    /// Whether its devices may sign in by a code that the user types elsewhere (RFC 8628).
    package let allowsDeviceFlow: Bool
    /// The keys of its assertions, its only way to authenticate; nil for a client with a secret or without any.
    package var keys: ClientKeys? {
        keySet.flatMap(Self.keys).map(ClientKeys.listed) ?? keySetURI.map(ClientKeys.published)
    }
    private let keySet: JSON?
    private let keySetURI: String?
    package var hasKeys: Bool { keySet != nil || keySetURI != nil }
    /// Whether it may get tokens for itself, without a user (RFC 6749 §4.4).
    package let isServiceAccount: Bool
    /// Whether every access token must be bound to a key (RFC 9449 §5.2).
    package let bindsTokens: Bool
    /// The ids of the apps of Apple's systems that open ``Client/linkPath``.
    package let appleApps: [String]
    /// The Android apps that open it.
    package var androidApps: [AndroidApp] { androidAppTexts.compactMap(AndroidApp.init) }
    private let androidAppTexts: [String]
    /// The APIs that the app's back end serves to other apps (RFC 8707).
    package let resources: [ProtectedResource]
    /// The authorization servers of other companies for which it may get assertions about its users.
    package let assertionAudiences: [AssertionAudience]

    /// The settings of a client that names none.
    package static let standard = OpenIDSettings()

    /// In place of settings that can't be read: it may be another maker's app.
    static let unreadable = unreadable(keepingSubjectsOf: [:])

    /// The same; the app goes on knowing its users by the same subjects.
    static func unreadable(keepingSubjectsOf json: JSONObject) -> OpenIDSettings {
        var kept: JSONObject = ["third_party": true]
        for name in subjectMembers { kept[name] = json[name] }
        return OpenIDSettings(kept)
    }

    private init(_ json: JSONObject = [:]) {
        var reader = MemberReader(json, known: Self.members)
        self.init(&reader)
    }

    /// Parses the members of ``json``.
    ///
    /// - Throws: the first fault.
    package init(parsing json: JSONObject) throws(MemberFault) {
        var reader = MemberReader(json, known: Self.members)
        self.init(&reader)
        if let fault = reader.faults.first { throw fault }
    }

    /// Every fault of the members.
    package static func faults(in json: JSONObject) -> [MemberFault] {
        var reader = MemberReader(json, known: members)
        _ = OpenIDSettings(&reader)
        return reader.faults
    }

    private init(_ reader: inout MemberReader) {
        isThirdParty = reader.flag("third_party")
        mayOmitProofKey = reader.flag("pkce_optional")
        idTokenAlgorithm = reader.choice("id_token_algorithm", else: .rs256)
        idTokensHaveClaims = reader.flag("id_token_claims", else: true)
        let allowed = Set(names: reader.texts("scopes") { TokenScope.own.map(\.rawValue).contains($0) })
        scopes = allowed.isEmpty ? Set(TokenScope.own) : allowed
        refreshTokens = reader.choice("refresh_tokens", else: .always)
        userInfo = reader.choice("userinfo_signed_response_alg", else: .none)
        subjectType = reader.choice("subject_type", else: .public)
        sectorIdentifierURI = reader.optional("sector_identifier_uri", Self.isCallable)
        postLogoutRedirectURIs = reader.texts("post_logout_redirect_uris") { RedirectURI($0) != nil }
        backChannelLogoutURI = reader.optional("backchannel_logout_uri", Self.isCallable)
        requiresPushedRequests = reader.flag("pushed_requests")
        allowsDeviceFlow = reader.flag("device_flow")
        keySet = reader.object("jwks", Self.isKeySet)
        keySetURI = reader.optional("jwks_uri", Self.isCallable)
        reader.exclude("jwks_uri", beside: "jwks")
        isServiceAccount = reader.flag("service_account")
        bindsTokens = reader.flag("dpop_bound_access_tokens")
        appleApps = reader.texts("apple_apps", AppleApp.isID)
        androidAppTexts = reader.texts("android_apps") { AndroidApp($0) != nil }
        resources = reader.list("resources", known: ProtectedResource.members) { ProtectedResource(&$0) }
        assertionAudiences = reader.list("assertion_audiences", known: AssertionAudience.members) {
            AssertionAudience(&$0)
        }
    }

    package static let members = [
        "third_party", "pkce_optional", "id_token_algorithm", "id_token_claims", "scopes", "refresh_tokens",
        "userinfo_signed_response_alg", "subject_type", "sector_identifier_uri",
        "post_logout_redirect_uris", "backchannel_logout_uri", "pushed_requests", "device_flow", "service_account",
        "dpop_bound_access_tokens", "apple_apps", "android_apps", "jwks", "jwks_uri", "resources",
        "assertion_audiences",
    ]

    package static let subjectMembers = ["subject_type", "sector_identifier_uri"]
    package static let keyMembers = ["jwks", "jwks_uri"]

    private static func keys(_ json: JSON) -> JWKSet? {
        try? JWKSet(parsing: json.bytes(), accepting: ClientAssertion.algorithms)
    }

    /// A key set with public keys alone (RFC 7517 §5).
    private static func isKeySet(_ json: JSON) -> Bool {
        let isPrivate = (json["keys"]?.array ?? []).contains { $0["d"] != nil || $0["k"] != nil }
        return !isPrivate && keys(json)?.isEmpty == false
    }

    /// Whether an address may be called; the outbound client judges the host's addresses.
    private static func isCallable(_ text: String) -> Bool {
        RedirectURI(text).map { $0.kind != .customScheme } ?? false
    }

    /// The members that differ from those of ``standard``.
    package var json: JSON {
        var json: JSONObject = [:]
        if isThirdParty { json["third_party"] = true }
        if mayOmitProofKey { json["pkce_optional"] = true }
        if idTokenAlgorithm != .rs256 { json["id_token_algorithm"] = .string(idTokenAlgorithm.rawValue) }
        if !idTokensHaveClaims { json["id_token_claims"] = false }
        if scopes != Set(TokenScope.own) { json["scopes"] = .array(scopes.names.map(JSON.string)) }
        if refreshTokens != .always { json["refresh_tokens"] = .string(refreshTokens.rawValue) }
        if userInfo != .none { json["userinfo_signed_response_alg"] = .string(userInfo.rawValue) }
        if subjectType != .public { json["subject_type"] = .string(subjectType.rawValue) }
        json["sector_identifier_uri"] = sectorIdentifierURI.map(JSON.string)
        if !postLogoutRedirectURIs.isEmpty {
            json["post_logout_redirect_uris"] = .array(postLogoutRedirectURIs.map(JSON.string))
        }
        json["backchannel_logout_uri"] = backChannelLogoutURI.map(JSON.string)
        if requiresPushedRequests { json["pushed_requests"] = true }
        if allowsDeviceFlow { json["device_flow"] = true }
        if isServiceAccount { json["service_account"] = true }
        if bindsTokens { json["dpop_bound_access_tokens"] = true }
        if !appleApps.isEmpty { json["apple_apps"] = .array(appleApps.map(JSON.string)) }
        if !androidAppTexts.isEmpty { json["android_apps"] = .array(androidAppTexts.map(JSON.string)) }
        json["jwks"] = keySet
        json["jwks_uri"] = keySetURI.map(JSON.string)
        if !resources.isEmpty { json["resources"] = .array(resources.map(\.json)) }
        if !assertionAudiences.isEmpty { json["assertion_audiences"] = .array(assertionAudiences.map(\.json)) }
        return .object(json)
    }
}

extension Client {
    /// Whether an authorization request needs a proof key: a public client has no other protection of its code.
    package var needsProofKey: Bool { kind == .public || !openID.mayOmitProofKey }

    /// Whether its devices may ask for sessions; never for administration, which a stranger's code must not open.
    package var usesDeviceFlow: Bool { openID.allowsDeviceFlow && !audiences.contains(.administration) }
}
