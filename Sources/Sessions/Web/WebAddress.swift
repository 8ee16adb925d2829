import Providers

/// Addresses of our own pages.
package enum WebAddress {
    /// A path with parameters, encoded.
    package static func of(_ path: String, _ parameters: [(name: String, value: String)]) -> String {
        FormEncoding.appending(parameters.map { ($0.name, $0.value) }, to: path)
    }
}
