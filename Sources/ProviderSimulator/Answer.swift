import HTTPTypes
import JSON

/// The answer as a value, so that a fault can change it before it is written.
struct Answer: Sendable, Equatable {
    enum Body: Sendable, Equatable {
        case none
        case json(JSON)
        case text(String, type: String)
    }

    var status: HTTPResponse.Status = .ok
    var headers: HTTPFields = [:]
    var body: Body

    /// A cacheable document, for example a key set.
    static func document(_ json: JSON, cacheControl: String? = nil) -> Answer {
        var answer = Answer(body: .json(json))
        if let cacheControl { answer.headers[.cacheControl] = cacheControl }
        return answer
    }

    /// An answer with a token or a user's data.
    static func secret(_ json: JSON, status: HTTPResponse.Status = .ok) -> Answer {
        Answer(status: status, headers: [.cacheControl: "no-store"], body: .json(json))
    }

    static func refusal(_ refusal: Refusal, body: JSON) -> Answer {
        var answer = Answer.secret(body, status: refusal.status)
        for field in refusal.headers { answer.headers.append(field) }
        return answer
    }

    var contentType: String? {
        switch body {
        case .none: nil
        case .json: "application/json;charset=UTF-8"
        case .text(_, let type): type
        }
    }

    var bytes: [UInt8] {
        switch body {
        case .none: []
        case .json(let json): json.bytes()
        case .text(let text, _): Array(text.utf8)
        }
    }
}
