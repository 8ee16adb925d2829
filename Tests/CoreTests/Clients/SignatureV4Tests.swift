import Cryptography
import Foundation
import Testing

@testable import Clients

/// The expected signature is botocore's (1.44.8, `SigV4Auth`) for the same request, key and time.
@Suite("AWS Signature Version 4")
struct SignatureV4Tests {
    private static let time = Date(timeIntervalSince1970: 1_795_780_800)
    private static let signature = "b9ffedf8a575c428792290cccb3fa133116cc2656a82c473a943e2d2042832d2"
    private static let body = #"{"UserPoolId":"eu-central-1_Abc123XYZ"}"#

    /// A signed call, with changes.
    private struct Call {
        var method = "POST"
        var target = "/"
        var body = SignatureV4Tests.body
        var headers = [
            "Host": "login.example.com", "Content-Type": "application/x-amz-json-1.1",
            "X-Amz-Date": "20261127T120000Z", "X-Amz-Target": "AWSCognitoIdentityProviderService.ListUsers",
        ]
        var scope = "20261127/eu-central-1/cognito-idp/aws4_request"
        var signed = "content-type;host;x-amz-date;x-amz-target"
        var signature = SignatureV4Tests.signature
        var more: [(name: String, value: String)] = []

        var call: SignedCall {
            let authorization =
                "AWS4-HMAC-SHA256 Credential=GWAAAAAAAAAAAAAAAAAA/\(scope), SignedHeaders=\(signed), Signature=\(signature)"
            return SignedCall(
                method: method, target: target,
                headers: headers.map { (name: $0.key, value: $0.value) }
                    + [(name: "Authorization", value: authorization)] + more,
                body: Array(body.utf8).span)
        }

        func fault(at now: Date = SignatureV4Tests.time, region: String = "eu-central-1") throws -> SignatureV4.Fault? {
            let key = AccessKey(
                id: "GWAAAAAAAAAAAAAAAAAA", actor: UUID(), clientID: "app", issued: SignatureV4Tests.time,
                secret: Secret("0123456789abcdefghijABCDEFGHIJ_-01234567"))
            do throws(SignatureV4.Fault) {
                let signature = try SignatureV4(of: call)
                #expect(signature.keyID == key.id)
                try signature.verify(call, by: key, region: region, service: "cognito-idp", at: now)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test("botocore's signature is accepted for five minutes")
    func accepted() throws {
        let call = Call()
        #expect(try call.fault() == nil)
        #expect(try call.fault(at: Self.time.addingTimeInterval(300)) == nil)
        #expect(try call.fault(at: Self.time.addingTimeInterval(-300)) == nil)
        #expect(try call.fault(at: Self.time.addingTimeInterval(301)) == .expired)
        #expect(try call.fault(at: Self.time.addingTimeInterval(-301)) == .expired)
        var spaced = call
        spaced.headers["Content-Type"] = "  application/x-amz-json-1.1 "
        #expect(try spaced.fault() == nil)
    }

    @Test("a signature counts for its own call, date, region and operation only")
    func changed() throws {
        var changes: [(Call, SignatureV4.Fault)] = []
        func change(_ fault: SignatureV4.Fault, _ edit: (inout Call) -> Void) {
            var call = Call()
            edit(&call)
            changes.append((call, fault))
        }
        change(.wrongSignature) { $0.body = "{}" }
        change(.wrongSignature) { $0.method = "GET" }
        change(.wrongSignature) { $0.target = "/other" }
        change(.wrongSignature) { $0.headers["Host"] = "login.example.org" }
        change(.wrongSignature) { $0.headers["X-Amz-Target"] = "AWSCognitoIdentityProviderService.AdminDeleteUser" }
        change(.wrongSignature) { $0.headers["X-Amz-Date"] = "20261127T120001Z" }
        change(.wrongSignature) { $0.more = [(name: "host", value: "login.example.com")] }
        change(.wrongSignature) { $0.signature = String(repeating: "0", count: 64) }
        change(.wrongScope) { $0.scope = "20261126/eu-central-1/cognito-idp/aws4_request" }
        change(.wrongScope) { $0.scope = "20261127/us-east-1/cognito-idp/aws4_request" }
        change(.wrongScope) { $0.scope = "20261127/eu-central-1/s3/aws4_request" }
        change(.expired) { $0.headers["X-Amz-Date"] = "2026-11-27" }
        for (call, fault) in changes { #expect(try call.fault() == fault, "\(call)") }
        #expect(try Call().fault(region: "us-east-1") == .wrongScope)
    }

    @Test("a signature without a required header, of another form, or for a query is incomplete")
    func incomplete() throws {
        var changes: [Call] = []
        func change(_ edit: (inout Call) -> Void) {
            var call = Call()
            edit(&call)
            changes.append(call)
        }
        change { $0.signed = "content-type;host;x-amz-date" }
        change { $0.signed = "content-type;x-amz-date;x-amz-target" }
        change { $0.signed = "host;content-type;x-amz-date;x-amz-target" }
        change { $0.signed += ";x-amz-target" }
        change { $0.signature = "b9ff" }
        change { $0.scope = "20261127/eu-central-1/aws4_request" }
        change { $0.target = "/?Action=ListUsers" }
        change { $0.headers["X-Amz-Date"] = nil }
        change { $0.signature += ", Signature=\(Self.signature)" }
        change { $0.signature += ", Credential" + "=GWAAAAAAAAAAAAAAAAAA/\($0.scope)" }
        change { $0.signed = "host;x-amz-absent;x-amz-date;x-amz-target" }
        change { $0.more = [(name: "X-Amz-Security-Token", value: "t")] }
        for call in changes { #expect(try call.fault() == .incomplete, "\(call)") }
        let unsigned = SignedCall(method: "POST", target: "/", headers: [], body: [UInt8]().span)
        #expect(throws: SignatureV4.Fault.missing) { try SignatureV4(of: unsigned) }
    }

    @Test("a key without a secret, such as one for other calls, verifies no signature")
    func withoutSecret() throws {
        let key = AccessKey(id: "GWAAAAAAAAAAAAAAAAAA", actor: UUID(), clientID: "app", issued: Self.time, digest: [1])
        let call = Call().call
        let signature = try SignatureV4(of: call)
        #expect(throws: SignatureV4.Fault.wrongSignature) {
            try signature.verify(call, by: key, region: "eu-central-1", service: "cognito-idp", at: Self.time)
        }
    }

    @Test("a sealed secret opens for its own key only")
    func sealed() throws {
        let box = SealedBox(try MasterKeys("k1:" + Base64URL.encode(RandomBytes.system(32))))
        let sealed = AccessKey.seal("s", of: "GWAAAAAAAAAAAAAAAAAA", box)
        #expect(try AccessKey.open(sealed, of: "GWAAAAAAAAAAAAAAAAAA", box) == Secret("s"))
        #expect(throws: SealedBoxError.self) { try AccessKey.open(sealed, of: "GWAAAAAAAAAAAAAAAAAB", box) }
    }

    @Test("each new key has an id and a secret of its own, in the documented form")
    func fresh() {
        let (ids, secrets) = ((1...50).map { _ in AccessKey.newID() }, (1...50).map { _ in AccessKey.newSecret() })
        #expect(Set(ids).count == 50 && Set(secrets).count == 50)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /GW[A-Z2-7]{18}/) != nil })
        #expect(secrets.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]{40}/) != nil })
    }
}
