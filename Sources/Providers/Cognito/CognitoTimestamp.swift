import FoundationEssentials
import Outbound

/// The time in a password claim: UTC and English, the day without a leading zero.
enum CognitoTimestamp {
    static func text(_ date: Date) -> String {
        let mail = MailDate.parts(date)
        return "\(mail.weekday) \(mail.month) \(mail.day) \(mail.time) UTC \(mail.year)"
    }
}
