package import Hummingbird
package import Vocabulary

/// A refused call: what the log keeps of the refusal, and the answer in the form of the door.
package struct RefusedCall<Call> {
    /// The code of the refusal in the error catalogue.
    let code: String
    /// The refusal of the core behind the code, if there is one: it says whether the refusal is only counted.
    let rejection: Rejection?
    /// The faulty parts of the request, without their values; nil for the values that the refusal itself repeats.
    let detail: String?
    /// Runs after the log has the refusal.
    let answer: (inout Call) async throws -> Response

    package init(
        _ code: String, of rejection: Rejection?, detail: String? = nil,
        answer: @escaping (inout Call) async throws -> Response
    ) {
        (self.code, self.rejection, self.detail, self.answer) = (code, rejection, detail, answer)
    }
}
