import JSON

extension [Problem.Item] {
    /// The wrong parts of a request by pointer and code, without their values; nil without any.
    ///
    /// The length of a pointer is bounded, because any caller chooses the names in it.
    package var auditDetail: String? {
        guard !isEmpty else { return nil }
        let items = prefix(8).map { item -> JSON in
            ["pointer": .string(item.pointer.bounded(bytes: 256)), "code": .string(item.code)]
        }
        return JSON.array(items).text
    }
}
