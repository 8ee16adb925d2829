/// What a transfer needs before it may start.
///
/// The kinds of transfer (HTTP, mail) differ only in the options they set.
protocol TransferPlan: Sendable {
    var limits: TransferLimits { get }
    /// Sent through the read callback.
    var upload: [UInt8]? { get }
    /// Whether the other side answers with header fields.
    var hasHeaderFields: Bool { get }
    /// Whether libcurl may send the request again when a kept connection turns out to be dead.
    var isRepeatable: Bool { get }
    var addressGuard: AddressGuard { get }
    /// Sets the options of this kind of transfer on a handle that was just reset.
    func apply(to handle: EasyHandle)
}

struct TransferLimits: Sendable {
    var deadline: Duration
    var connectDeadline: Duration
    var maximumBytes: Int
    /// For all header lines of an answer together.
    var maximumHeaderBytes = 64 * 1024
}
