public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends one HTTP request and returns the answer.
///
/// An app can replace it to pin certificates, to log or to test. It throws if there is no answer.
public protocol Transport: Sendable {
    /// Sends the request and returns body and response.
    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse)
}

/// The transport of Foundation: no cookies, no cache, no redirects.
public struct URLSessionTransport: Transport {
    private let session: URLSession
    #if canImport(FoundationNetworking)
        private let exchanges = DelegatedExchanges()
    #endif

    /// Creates a session of its own.
    ///
    /// - Parameter configuration: by default an ephemeral one, which keeps no token on the disk.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if canImport(FoundationNetworking)
            session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
        #else
            session = URLSession(configuration: configuration)
        #endif
    }

    /// Sends the request and returns body and response.
    public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        #if canImport(FoundationNetworking)
            return try await exchanges.send(request, on: session)
        #else
            let (data, response) = try await session.data(for: request, delegate: RedirectRefusal())
            guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            return (data, answer)
        #endif
    }
}

#if !canImport(FoundationNetworking)
    /// A redirect would carry the access token to another place.
    private final class RedirectRefusal: NSObject, URLSessionTaskDelegate, Sendable {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? { nil }
    }
#endif
