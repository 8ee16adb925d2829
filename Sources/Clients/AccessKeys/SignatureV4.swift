import Cryptography
package import Foundation

/// A signature of AWS Signature Version 4 in the `Authorization` header (AWS General Reference, "Signature Version 4").
///
/// The signature covers the operation: it must include the headers `host`, `x-amz-date` and `x-amz-target`. A request
/// with a query, or with temporary credentials, is refused: no client of these operations sends one.
package struct SignatureV4: Sendable {
    /// Why a signature was refused.
    package enum Fault: Error, Equatable, Sendable {
        /// The request has no signature.
        case missing
        /// The header has another form, or a required header is not signed.
        case incomplete
        /// The date is more than five minutes from the server's.
        case expired
        /// Another region, service or day.
        case wrongScope
        case wrongSignature
    }

    package let keyID: String
    private let scope: [String]
    private let signedHeaders: [String]
    private let signature: [UInt8]
    private let timestamp: String

    private static let algorithm = "AWS4-HMAC-SHA256"
    private static let required = ["host", "x-amz-date", "x-amz-target"]
    private static let maximumSkew = 300.0

    /// Reads the signature of a call without checking it.
    package init(of call: SignedCall) throws(Fault) {
        guard let header = call.single("authorization"), header.hasPrefix(Self.algorithm + " ") else { throw .missing }
        let fields = Self.fields(header.dropFirst(Self.algorithm.count + 1))
        let credential = fields["Credential"]?.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let credential, credential.count == 5, credential[4] == "aws4_request",
            let names = fields["SignedHeaders"]?.split(separator: ";").map(String.init), names == names.sorted(),
            Set(names).count == names.count, Self.required.allSatisfy(names.contains),
            let signature = fields["Signature"].flatMap(Hex.decode), signature.count == 32,
            let timestamp = call.single("x-amz-date"), call.headers["x-amz-security-token"] == nil,
            !call.target.contains("?")
        else { throw .incomplete }
        (keyID, scope) = (credential[0], Array(credential.dropFirst()))
        (signedHeaders, self.signature, self.timestamp) = (names, signature, timestamp)
    }

    /// `Credential=…, SignedHeaders=…, Signature=…`; empty for a repeated name.
    private static func fields(_ text: Substring) -> [String: String] {
        let pairs = text.split(separator: ",").compactMap { field -> (String, String)? in
            let parts = field.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (parts[0].trimmingCharacters(in: .whitespaces), parts[1].trimmingCharacters(in: .whitespaces))
        }
        guard Set(pairs.map(\.0)).count == pairs.count else { return [:] }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Checks the signature of the call.
    ///
    /// - Parameters:
    ///   - service: the service's name in scopes, such as `cognito-idp`.
    ///   - now: the server's time.
    package func verify(
        _ call: SignedCall, by key: AccessKey, region: String, service: String, at now: Date
    ) throws(Fault) {
        guard let time = Self.time(timestamp), abs(time.timeIntervalSince(now)) <= Self.maximumSkew else {
            throw .expired
        }
        guard scope == [String(timestamp.prefix(8)), region, service, "aws4_request"] else { throw .wrongScope }
        guard let secret = key.secret else { throw .wrongSignature }
        let expected = try HMACSHA256.code(stringToSign(call), key: signingKey(secret))
        guard ConstantTime.equal(expected, signature) else { throw .wrongSignature }
    }

    private func stringToSign(_ call: SignedCall) throws(Fault) -> [UInt8] {
        var lines = ""
        for name in signedHeaders {
            guard let line = call.canonical(name) else { throw .incomplete }
            lines += line
        }
        let request = [
            call.method, call.target, "", lines, signedHeaders.joined(separator: ";"), Hex.encode(call.bodyDigest),
        ].joined(separator: "\n")
        let text = [
            Self.algorithm, timestamp, scope.joined(separator: "/"), Hex.encode(SHA256.hash(request)),
        ].joined(separator: "\n")
        return Array(text.utf8)
    }

    private func signingKey(_ secret: Secret) -> [UInt8] {
        scope.reduce(Array("AWS4".utf8) + secret.revealed) { derived, part in
            HMACSHA256.code(Array(part.utf8), key: derived)
        }
    }

    /// The time of `20261127T114900Z`.
    private static func time(_ text: String) -> Date? {
        guard let parts = text.wholeMatch(of: /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/)?.output else { return nil }
        return try? Date(
            "\(parts.1)-\(parts.2)-\(parts.3)T\(parts.4):\(parts.5):\(parts.6)Z", strategy: .iso8601)
    }
}
