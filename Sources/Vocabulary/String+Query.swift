import Outbound

extension String {
    /// The address with encoded parameters added to its query.
    package func addingQuery(_ parameters: [(name: String, value: String)]) -> String {
        FormEncoding.appending(parameters.map { ($0.name, $0.value) }, to: self)
    }
}
