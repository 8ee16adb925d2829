import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends calls to one gateway and reads its answers.
struct API: Sendable {
    let url: URL
    let clientID: String
    let backEnds: [URL]
    let transport: any Transport
    let languages: [String]
    /// Only with the option `proofOfPossession`.
    var prover: Prover?

    /// Sends a call and decodes the answer.
    func answer<Answer: Decodable>(_ call: APICall, _ authority: Authority = .none) async throws -> Answer {
        let (data, response) = try await send(call, authority)
        do {
            return try Self.decoder.decode(Answer.self, from: data.isEmpty ? Data("{}".utf8) : data)
        } catch {
            throw GatewayError.unreadableAnswer(status: response.statusCode)
        }
    }

    /// Sends a call and throws for every status but 2xx.
    func send(_ call: APICall, _ authority: Authority = .none) async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await exchange(try request(call), authority)
        guard 200..<300 ~= response.statusCode else { throw Self.refusal(data, response) }
        return (data, response)
    }

    /// Sends a request that may not be for the gateway.
    func exchange(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        do {
            let answer = try await transport.send(request)
            if let prover, let url = request.url, let nonce = answer.1.value(forHTTPHeaderField: "DPoP-Nonce") {
                await prover.remember(nonce, of: url)
            }
            return answer
        } catch let error as CancellationError {
            throw error
        } catch let error as URLError where error.code == .cancelled {
            throw CancellationError()
        } catch {
            throw GatewayError.unreachable(error)
        }
    }

    func request(_ call: APICall) throws -> URLRequest {
        var request = URLRequest(url: try address(call.path, call.query))
        request.httpMethod = call.method
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if !languages.isEmpty { request.setValue(acceptLanguage, forHTTPHeaderField: "Accept-Language") }
        switch call.body {
        case .none: break
        case .json(let value):
            request.httpBody = try Self.encoder.encode(value)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        case .form(let fields):
            request.httpBody = Data(formEncoded(fields).utf8)
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    /// The preferred language first, with falling weights (RFC 9110 section 12.5.4).
    private var acceptLanguage: String {
        languages.prefix(9).enumerated().map { number, language in
            number == 0 ? language : "\(language);q=0.\(10 - number)"
        }.joined(separator: ", ")
    }

    /// An address of the gateway; the path may start with `/`.
    func address(_ path: String, _ query: [URLQueryItem] = []) throws -> URL {
        guard url.carriesTokensSafely else { throw GatewayError.insecureAddress(url) }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw GatewayError.insecureAddress(url)
        }
        let base = parts.percentEncodedPath
        parts.percentEncodedPath = (base.hasSuffix("/") ? String(base.dropLast()) : base) + path
        if !query.isEmpty { parts.queryItems = query }
        guard let address = parts.url else { throw GatewayError.insecureAddress(url) }
        return address
    }

    /// A proxy may answer in the gateway's place, without a problem document.
    static func refusal(_ data: Data, _ response: HTTPURLResponse) -> GatewayError {
        if let problem = try? decoder.decode(Problem.self, from: data) { return .refused(problem) }
        guard let refusal = try? decoder.decode(OAuthRefusal.self, from: data) else {
            return .unreadableAnswer(status: response.statusCode)
        }
        let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
        return .refused(refusal.problem(status: response.statusCode, retryAfter: seconds))
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

extension URL {
    /// Whether scheme, host and port are the same.
    func hasOrigin(of other: URL) -> Bool { origin == other.origin }

    /// Scheme, host and port, in one spelling.
    var origin: String { "\(scheme ?? "")://\(host ?? ""):\(port ?? defaultPort)".lowercased() }

    private var defaultPort: Int { scheme?.lowercased() == "https" ? 443 : 80 }

    /// https, or this machine, for development.
    var carriesTokensSafely: Bool {
        guard let scheme = scheme?.lowercased(), let host = host?.lowercased() else { return false }
        let isLocal = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost")
        return scheme == "https" || (scheme == "http" && isLocal)
    }
}
