import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("Files that commands write")
struct OutputFileTests {
    private static func refusal(_ path: String, mayEmpty: Bool = false) -> String? {
        do {
            _ = try OutputFile.handle(for: path, mayEmpty: { _ in mayEmpty })
            return nil
        } catch {
            return error.text
        }
    }

    @Test("a new file is private to its owner; an existing one stays unchanged")
    func regular() throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/new"
        try OutputFile.handle(for: path).write(contentsOf: Data("quack".utf8))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(Self.refusal(path)?.contains("already exists") == true)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: path)
        #expect(Self.refusal("\(folder)/link")?.contains("already exists") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "quack")
        #expect(Self.refusal(path, mayEmpty: true) == nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "")
    }

    @Test("a link that leads nowhere, a folder and a missing folder are refused")
    func impossible() throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "\(folder)/not")
        for path in ["\(folder)/link", folder, "\(folder)/not/there"] {
            #expect(Self.refusal(path)?.contains("can't be written") == true, "\(path)")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/not"))
    }

    @Test("a device is written to and stays a device")
    func device() throws {
        try OutputFile.handle(for: "/dev/null").write(contentsOf: Data("quack".utf8))
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
    }
}
