import Cryptography
import Foundation

@testable import Clients

/// One signature is accepted for one request: its method, target, body and signed headers.
///
/// Reads method, target and headers, one a line, up to an empty line, and then the body.
enum SignatureV4Target {
    private static let key = AccessKey(
        id: "GWAAAAAAAAAAAAAAAAAA", actor: UUID(), clientID: "app", issued: time,
        secret: Secret("0123456789abcdefghijABCDEFGHIJ_-01234567"))
    private static let time = Date(timeIntervalSince1970: 1_795_780_800)
    /// What the seed `corpus/sigv4/signed` signs.
    private static let signed = [
        "host": "login.example.com", "content-type": "application/x-amz-json-1.1", "x-amz-date": "20261127T120000Z",
        "x-amz-target": "AWSCognitoIdentityProviderService.ListUsers",
    ]
    private static let body = #"{"UserPoolId":"eu-central-1_Abc123XYZ"}"#

    static func read(_ input: [UInt8]) {
        let lines = Input(input).lines
        let head = lines.prefix { !$0.isEmpty }
        let body = Array(lines.dropFirst(head.count + 1).joined(separator: [UInt8(ascii: "\n")]))
        let headers = head.dropFirst(2).compactMap(Input.header)
        let call = SignedCall(
            method: text(head.first), target: text(head.dropFirst().first), headers: headers, body: body.span)
        guard isAccepted(call) else { return }
        hold(call.method == "POST" && call.target == "/", "method and target are signed")
        hold(body == Array(self.body.utf8), "the body is signed")
        for (name, value) in signed {
            let sent = headers.filter { $0.name.lowercased() == name }.map(\.value)
            hold(sent.count == 1 && squeezed(sent[0]) == value, "a signed header has one value")
        }
    }

    private static func isAccepted(_ call: SignedCall) -> Bool {
        do {
            let signature = try SignatureV4(of: call)
            try signature.verify(call, by: key, region: "eu-central-1", service: "cognito-idp", at: time)
            return true
        } catch {
            return false
        }
    }

    private static func text(_ line: ArraySlice<UInt8>?) -> String { String(decoding: line ?? [], as: UTF8.self) }

    private static func squeezed(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}
