#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What a back end wants of the user before it answers (RFC 9470 section 3).
public struct StepUpDemand: Sendable, Equatable {
    /// The accepted values of `acr`, the preferred one first; empty if the back end names none.
    public let acrValues: [String]
    /// The seconds that may have passed since the user's proof.
    public let maxAge: Int?

    /// Reads a `WWW-Authenticate` header; nil if it has no such demand, or can't be read (RFC 9470 section 3).
    public init?(wwwAuthenticate header: String?) {
        let challenges = header.flatMap(Challenge.list) ?? []
        let wanted = challenges.first {
            ["bearer", "dpop"].contains($0.scheme) && $0.parameters["error"] == Self.error
        }
        guard let wanted else { return nil }
        acrValues = (wanted.parameters["acr_values"] ?? "").split(separator: " ").map(String.init)
        let age = wanted.parameters["max_age"]
        maxAge = age.flatMap { $0.utf8.allSatisfy(Self.digits.contains) ? Int($0) : nil }
        if age != nil, maxAge == nil { return nil }
    }

    /// Reads the answer of a back end; nil if it has no such demand (RFC 9470 section 3).
    public init?(_ response: HTTPURLResponse) {
        guard response.statusCode == 401 else { return nil }
        self.init(wwwAuthenticate: response.value(forHTTPHeaderField: "WWW-Authenticate"))
    }

    static let error = "insufficient_user_authentication"
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
}
