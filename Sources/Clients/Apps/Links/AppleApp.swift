/// The id of an app of Apple's systems: the team's id, a dot and the bundle's id, such as `TEAM123456.com.example.app`.
package enum AppleApp {
    package static func isID(_ text: String) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 10 else { return false }
        return text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || ".-".utf8.contains(byte)
        }
    }
}
