#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// Collects answers as the delegate of a session, and refuses redirects.
    ///
    /// `data(for:)` of Foundation on Linux follows every redirect without asking a delegate.
    final class DelegatedExchanges: NSObject, Sendable {
        private struct Exchange: Sendable {
            let waiting: CheckedContinuation<(Data, HTTPURLResponse), any Error>
            var data = Data()
        }

        private let exchanges = Mutex<[Int: Exchange]>([:])

        func send(_ request: URLRequest, on session: URLSession) async throws -> (Data, HTTPURLResponse) {
            let task = session.dataTask(with: request)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waiting in
                    exchanges.withLock { $0[task.taskIdentifier] = Exchange(waiting: waiting) }
                    task.resume()
                }
            } onCancel: {
                task.cancel()
            }
        }

        private static func result(
            _ data: Data, _ response: URLResponse?, _ error: (any Error)?
        ) -> Result<(Data, HTTPURLResponse), any Error> {
            if let error { return .failure(error) }
            guard let answer = response as? HTTPURLResponse else { return .failure(URLError(.badServerResponse)) }
            return .success((data, answer))
        }
    }

    extension DelegatedExchanges: URLSessionDataDelegate {
        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            exchanges.withLock { $0[dataTask.taskIdentifier]?.data.append(data) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            exchange?.waiting.resume(with: Self.result(exchange?.data ?? Data(), task.response, error))
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) { completionHandler(nil) }
    }
#endif
