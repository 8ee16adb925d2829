/// Why messages, templates or assets of the pages can't be used.
///
/// A missing file prevents the start; an invalid one is found on first use.
package enum PageResourceError: Error, Equatable, CustomStringConvertible {
    case unreadable(String)
    case noObject(String)
    case malformed(String, key: String)
    case missing(String, key: String)
    case unknown(String, key: String)
    case differentPlaces(String, key: String)
    case noTemplate(String)
    case noMessage(String, key: String)

    package var description: String {
        switch self {
        case .unreadable(let file): "The pages can't be shown: \(file) can't be read, beside the program."
        case .noObject(let file): "\(file) is no JSON object with each name once."
        case .malformed(let file, let key):
            "\(file): \(key) is no text, is empty, has a line break or a brace without its partner."
        case .missing(let file, let key): "\(file): \(key) is missing."
        case .unknown(let file, let key): "\(file): \(key) is not in Messages/en.json."
        case .differentPlaces(let file, let key): "\(file): \(key) has other places than in Messages/en.json."
        case .noTemplate(let file): "\(file) is no template: a tag isn't closed, or it holds control characters."
        case .noMessage(let file, let key):
            "\(file) asks for \(key), which Messages/en.json doesn't have without places."
        }
    }
}
