import CCurl

@testable import Outbound

/// A transfer with an unchecked URL, so that only the socket's guard can refuse it.
struct UncheckedPlan: TransferPlan {
    let url: String
    let addressGuard: AddressGuard
    let upload: [UInt8]? = nil
    let hasHeaderFields = true
    let isRepeatable = true
    let limits = TransferLimits(deadline: .seconds(5), connectDeadline: .seconds(3), maximumBytes: 1000)

    func apply(to handle: EasyHandle) {
        handle.set(CURLOPT_URL, url)
    }
}
