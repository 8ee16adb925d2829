import FoundationEssentials

/// Figures of the kernel about this process, read at each scrape.
package enum ProcessMetrics {
    /// Sets the gauges that Prometheus' own libraries use.
    ///
    /// It does nothing outside Linux.
    package static func update(_ registry: MetricsRegistry) {
        if let pages = number(at: 1, in: "/proc/self/statm") {
            registry.gauge("process_resident_memory_bytes").set(Int64(pages * 4_096))
        }
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            registry.gauge("process_open_fds").set(Int64(files.count))
        }
        let fields = statistics()
        if fields.count > 17, let user = Double(fields[11]), let system = Double(fields[12]) {
            registry.gauge("process_cpu_seconds").set((user + system) / 100)
            registry.gauge("process_threads").set(Double(fields[17]) ?? 0)
        }
    }

    /// The name of this machine or container.
    package static var hostName: String {
        text("/proc/sys/kernel/hostname")?.split(whereSeparator: \.isNewline).first.map(String.init) ?? "unknown"
    }

    /// The fields of `/proc/self/stat` after the program's name, which may contain spaces.
    private static func statistics() -> [Substring] {
        guard let text = text("/proc/self/stat"), let end = text.lastIndex(of: ")") else { return [] }
        return text[text.index(after: end)...].split(separator: " ")
    }

    private static func number(at index: Int, in path: String) -> Int? {
        let fields = text(path)?.split(separator: " ") ?? []
        return fields.indices.contains(index) ? Int(fields[index]) : nil
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).flatMap { String(bytes: $0, encoding: .utf8) }
    }
}
