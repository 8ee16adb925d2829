/// The data that a transfer needs to start.
///
/// The kinds of transfer (HTTP, mail) differ only in the options they set.
package protocol TransferPlan: Sendable {
    var limits: TransferLimits { get }
    /// The bytes for the read callback.
    var upload: [UInt8]? { get }
    /// Whether the server answers with header fields.
    var hasHeaderFields: Bool { get }
    /// Whether libcurl may send the request again after a kept connection proves dead.
    var isRepeatable: Bool { get }
    var addressGuard: AddressGuard { get }
    /// Sets the options of this kind of transfer on a newly reset handle.
    func apply(to handle: EasyHandle)
}

package struct TransferLimits: Sendable {
    var deadline: Duration
    var connectDeadline: Duration
    var maximumBytes: Int
    /// The limit for all header lines of an answer together.
    var maximumHeaderBytes = 64 * 1024
}
