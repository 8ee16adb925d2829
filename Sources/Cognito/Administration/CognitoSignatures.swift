import Accounts
import Clients
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore
import OperatorAccess
import Sessions
import Vocabulary

/// Checks the signatures of administrator operations (AWS Signature Version 4).
struct CognitoSignatures: Sendable {
    let calls: CognitoCalls

    /// The service in scopes.
    private static let service = "cognito-idp"

    /// The back end that signed the request.
    ///
    /// - Throws: ``CognitoError`` in the names that AWS has for every service.
    func backEnd(
        _ request: Request, _ body: ByteBuffer, _ call: inout DoorCall
    ) async throws(CognitoError) -> UserProvisioning.BackEnd {
        let signed = SignedCall(request, body)
        let signature = try Self.naming { () throws(SignatureV4.Fault) in try SignatureV4(of: signed) }
        guard let (key, client) = calls.clients.accessKey(signature.keyID), let app = client.dialects.cognito else {
            throw .unknownKey
        }
        call.clientID = client.id
        let now = calls.directory.now
        try Self.naming { () throws(SignatureV4.Fault) in
            try signature.verify(signed, by: key, region: app.region, service: Self.service, at: now)
        }
        do throws(AccessKey.Fault) {
            try key.check(from: call.caller.address, at: now)
        } catch {
            throw CognitoError(error)
        }
        await calls.clients.keyUses.note(key)
        return UserProvisioning.BackEnd(client: client, key: key, caller: call.caller)
    }

    /// Names a fault as AWS does.
    private static func naming<Value>(
        _ check: () throws(SignatureV4.Fault) -> Value
    ) throws(CognitoError) -> Value {
        do throws(SignatureV4.Fault) { return try check() } catch { throw CognitoError(error) }
    }
}

extension SignedCall {
    init(_ request: Request, _ body: ByteBuffer) {
        let headers = request.headers.map { (name: $0.name.canonicalName, value: $0.value) }
        self.init(
            method: request.method.rawValue, target: request.head.path ?? "/",
            headers: headers + [(name: "host", value: request.head.authority ?? "")],
            body: body.readableBytesUInt8Span)
    }
}

extension CognitoError {
    static let unknownKey = CognitoError(
        .unrecognizedClient, "The security token included in the request is invalid.",
        code: Rejection.clientAuthenticationFailed.code)

    /// As AWS names an expired token, and a policy with a condition on the source address.
    fileprivate init(_ fault: AccessKey.Fault) {
        let code = AdminRefusal(fault).code
        switch fault {
        case .expired: self.init(.unrecognizedClient, Self.unknownKey.message, code: code)
        case .wrongNetwork:
            self.init(.accessDenied, "The access key is not authorized to be used from this address.", code: code)
        }
    }

    fileprivate init(_ fault: SignatureV4.Fault) {
        let code = Rejection.clientAuthenticationFailed.code
        switch fault {
        case .missing: self.init(.missingAuthenticationToken, "Missing Authentication Token", code: code)
        case .incomplete:
            self.init(
                .incompleteSignature,
                "The signature must be of Signature Version 4 and cover the headers host, x-amz-date and x-amz-target.",
                code: code)
        case .expired:
            self.init(.invalidSignature, "Signature expired: the date differs from the server's.", code: code)
        case .wrongScope:
            self.init(.invalidSignature, "Credential should be scoped to the region of the pool.", code: code)
        case .wrongSignature:
            self.init(
                .invalidSignature,
                "The request signature we calculated does not match the signature you provided.", code: code)
        }
    }
}
