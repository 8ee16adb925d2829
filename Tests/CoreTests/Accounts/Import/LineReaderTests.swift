import Foundation
import Testing

@testable import Accounts

@Suite("Reading a file line by line")
struct LineReaderTests {
    /// The reader's result for a file with these bytes.
    private static func lines(_ bytes: some Collection<UInt8>, longest: Int) throws -> (
        lines: [LineReader.Line], read: Int
    ) {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forReadingFrom: file)
        var reader = LineReader(handle, longest: longest)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        try handle.close()
        return (lines, reader.bytesRead)
    }

    private static func line(_ text: String) -> LineReader.Line { .bytes(Array(text.utf8)) }

    @Test(
        "lines end at line feeds, and the last one may lack its own",
        arguments: [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n\na\n", ["", "", "a"]),
            ("a\r\nb\r\n", ["a\r", "b\r"]),
        ])
    func ends(text: String, lines: [String]) throws {
        let found = try Self.lines(text.utf8, longest: 8)
        #expect(found.lines == lines.map(Self.line))
        #expect(found.read == text.utf8.count)
    }

    @Test("a line that is too long is skipped, and the next one is read")
    func tooLong() throws {
        let found = try Self.lines("12345678\n123456789\n\nend".utf8, longest: 8)
        #expect(found.lines == [Self.line("12345678"), .tooLong, Self.line(""), Self.line("end")])
        #expect(found.read == 23)
    }

    @Test("lines across two pieces of the file are complete")
    func pieces() throws {
        let lines = (0..<900).map { String(repeating: "abcdefg-\($0)-", count: 250 + $0 % 7) }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        #expect(bytes.count > 2 << 20)
        let found = try Self.lines(bytes, longest: 1 << 16)
        #expect(found.lines == lines.map(Self.line))
        #expect(found.read == bytes.count)
    }

    @Test("a line longer than a piece of the file is skipped as one")
    func longerThanAPiece() throws {
        let bytes = [UInt8](repeating: 0x61, count: 3 << 20) + Array("\nend\n".utf8)
        #expect(try Self.lines(bytes, longest: 1 << 16).lines == [.tooLong, Self.line("end")])
    }

    @Test("the position depends on all earlier lines")
    func positions() throws {
        func position(_ texts: [String]) -> ImportPosition {
            var position = ImportPosition.start
            for text in texts { position.advance(over: Self.line(text)) }
            return position
        }
        #expect(position(["a", "b"]) == position(["a", "b"]))
        for others in [["a"], ["b", "a"], ["a", "b", ""], ["ab"], ["a", "c"], []] {
            #expect(position(others).name != position(["a", "b"]).name)
        }
        #expect(position(["a", "b"]).lines == 2)
    }
}
