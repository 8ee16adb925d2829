import Cryptography
import Foundation
import JSON

/// One missing defence.
struct Weakness: Sendable {
    /// Answers a request, mostly by the gateway.
    let spoil: @Sendable (Passage) async throws -> Reply

    /// No weakness: everything passes.
    static let none = Weakness { try await $0.forward() }

    /// Changes requests before the gateway sees them.
    static func asking(_ change: @escaping @Sendable (inout Passage) -> Void) -> Weakness {
        Weakness { passage in
            var changed = passage
            change(&changed)
            return try await changed.forwardChanged()
        }
    }

    /// Changes the gateway's answers.
    static func answering(_ change: @escaping @Sendable (Passage, inout Reply) -> Void) -> Weakness {
        Weakness { passage in
            var reply = try await passage.forward()
            change(passage, &reply)
            return reply
        }
    }

    /// Answers some requests itself.
    static func instead(_ answer: @escaping @Sendable (Passage) -> Reply?) -> Weakness {
        Weakness { passage in
            if let reply = answer(passage) { return reply }
            return try await passage.forward()
        }
    }

    /// Takes every token with such a header for the one that the gateway issued.
    static func accepting(_ isAccepted: @escaping @Sendable (JSON) -> Bool) -> Weakness {
        Weakness { passage in
            var changed = passage
            if let token = passage.header("Authorization")?.split(separator: " ").last, let header = header(of: token),
                isAccepted(header), let issued = passage.memory["access"]
            {
                changed.setHeader("Authorization", "Bearer \(issued)")
                return try await changed.forwardChanged()
            }
            let reply = try await passage.forward()
            if let token = (try? JSON(parsing: reply.body))?["session"]?["access_token"]?.string {
                passage.memory["access"] = token
            }
            return reply
        }
    }

    private static func header(of token: Substring) -> JSON? {
        token.split(separator: ".").first.flatMap { Base64URL.decode($0) }.flatMap { try? JSON(parsing: $0) }
    }
}
