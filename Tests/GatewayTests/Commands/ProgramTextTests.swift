import Foundation
import Glibc
import Testing

@testable import Gateway

@Suite("The code that only the start needs")
struct ProgramTextTests {
    @Test(
        "only the program's own code is taken from the kernel's list",
        arguments: [
            ("5566f92ec000-5566fb294000 r-xp 00b2b000 fe:00 16597319                   /opt/gateway", 0x1FA8000),
            ("5566f87c0000-5566f92ec000 r--p 00000000 fe:00 16597319                   /opt/gateway", nil),
            ("5566fb3c6000-5566fd90e000 rw-p 02c03000 fe:00 16597319                   /opt/gateway", nil),
            ("7f10e2a00000-7f10e2c00000 r-xp 00b2b000 fe:00 16597320                   /opt/gateway.so", nil),
            ("7f10e2a00000-7f10e2c00000 r-xp 00000000 00:00 0 ", nil),
            ("7fff5a1f2000-7fff5a1f4000 r-xp 00000000 00:00 0                          [vdso]", nil),
            ("5566fb294000-5566f92ec000 r-xp 00b2b000 fe:00 16597319                   /opt/gateway", nil),
            ("gateway r-xp 00b2b000 fe:00 16597319                   /opt/gateway", nil), ("", nil),
        ] as [(String, Int?)])
    func lines(line: String, count: Int?) {
        #expect(ProgramText.codeRange(Substring(line), of: "/opt/gateway")?.count == count)
    }

    @Test("a path with blanks is one path")
    func blanks() {
        let line = "1000-3000 r-xp 00b2b000 fe:00 16597319                   /opt/my gateway"
        #expect(ProgramText.codeRange(Substring(line), of: "/opt/my gateway") == 0x1000..<0x3000)
    }

    @Test("unmapped code is read again when it is needed")
    func unmaps() throws {
        let file = unsafe open(Configurations.root.appending(path: "Package.swift").path, O_RDONLY)
        defer { close(file) }
        let page = unsafe mmap(nil, 4_096, PROT_READ, MAP_PRIVATE, file, 0)
        defer { unsafe munmap(page, 4_096) }
        let start = UInt(bitPattern: page)
        try #require(start != UInt(bitPattern: -1))

        let first = unsafe page?.load(as: UInt8.self)
        #expect(try Self.mapped(at: start) == 4)
        ProgramText.unmap(start..<start + 4_096)
        #expect(try Self.mapped(at: start) == 0)
        let again = unsafe page?.load(as: UInt8.self)
        #expect(first == UInt8(ascii: "/"))
        #expect(again == first)
    }

    /// KiB of the mapping that begins there (proc(5), `smaps`).
    private static func mapped(at start: UInt) throws -> Int? {
        let maps = try #require(try FileHandle(forReadingAtPath: "/proc/self/smaps")?.readToEnd())
        let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
        let place = try #require(lines.firstIndex { $0.hasPrefix("\(String(start, radix: 16))-") })
        let rss = try #require(lines[place...].first { $0.hasPrefix("Rss:") })
        return Int(rss.split(separator: " ")[1])
    }
}
