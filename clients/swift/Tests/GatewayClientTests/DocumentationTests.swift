import Foundation
import Testing

@testable import GatewayClient

@Suite("The documentation")
struct DocumentationTests {
    private static let resources = "clients/swift/Sources/GatewayClient/GatewayClient.docc/Tutorials/Resources"

    @Test("The tutorial's code is the code that is compiled here, grown line by line")
    func tutorial() throws {
        let compiled = try Repository.text("clients/swift/Tests/GatewayClientTests/Tutorial/Login-4.swift")
        #expect(try Repository.text("\(Self.resources)/Login-4.swift") == compiled)
        for number in 1...3 {
            let code = try Repository.text("\(Self.resources)/Login-\(number).swift")
            #expect(!code.isEmpty)
            // Each line is one of the compiled file, in its order.
            var rest = compiled.split(separator: "\n")[...]
            for line in code.split(separator: "\n") {
                let place = rest.firstIndex(of: line)
                #expect(place != nil, "Login-\(number).swift: \(line)")
                if let place { rest = rest[(place + 1)...] }
            }
        }
    }

    @Test("The tutorial's class tells the user that the server is away")
    @MainActor
    func login() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let login = Login(gateway: url, backEnd: url)
        try await login.start()
        #expect(login.session == nil)
        await login.signIn(name: "ann@example.com", password: "correct horse")
        #expect(login.message == "The server can't be reached. Check your connection.")
    }

    @Test("The README's test of an app is one that runs here")
    func testing() throws {
        let example = try Repository.text("clients/swift/Tests/GatewayClientTests/Testing/ReadmeExample.swift")
        #expect(try Repository.text("clients/swift/README.md").contains("```swift\n\(example)```"))
    }

    @Test("The README and the pages name only calls that exist")
    func names() throws {
        let sources = try Repository.library()
        let readme = try Repository.text("clients/swift/README.md")
        let account = try #require(readme.split(separator: "\n").first { $0.hasPrefix("The account: ") })
        let names = account.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        #expect(names.count > 15)
        for name in names { #expect(sources.contains("public func \(name)("), "\(name)") }
    }
}
