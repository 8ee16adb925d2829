import Foundation

/// A month of the audit log in UTC, the unit of partitions.
struct AuditMonth: Equatable {
    private let year: Int?
    private let month: Int?

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    init(of moment: Date) {
        let parts = Self.calendar.dateComponents([.year, .month], from: moment)
        (year, month) = (parts.year, parts.month)
    }
}
