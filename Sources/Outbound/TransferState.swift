/// The state for the callbacks of one transfer.
struct TransferState {
    private let limits: TransferLimits
    private let addressGuard: AddressGuard
    private let isRepeatable: Bool
    private let upload: [UInt8]
    private var uploaded = 0
    private var attempts = 0
    private var refusedSockets = 0
    private var openedSockets = 0
    private var answer = TransferAnswer()

    init(_ plan: some TransferPlan) {
        limits = plan.limits
        addressGuard = plan.addressGuard
        isRepeatable = plan.isRepeatable
        upload = plan.upload ?? []
    }

    /// `false` stops the transfer.
    mutating func takeBody(_ bytes: some Collection<UInt8>) -> Bool {
        answer.takeBody(bytes, limit: limits.maximumBytes)
    }

    /// `false` stops the transfer.
    mutating func takeHeaderLine(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        answer.takeHeaderLine(line, limit: limits.maximumHeaderBytes)
    }

    /// The next bytes of the upload; none at its end.
    mutating func nextUpload(atMost count: Int) -> ArraySlice<UInt8> {
        let piece = upload[uploaded...].prefix(count)
        uploaded += piece.count
        return piece
    }

    /// False if the request was already sent and must not be repeated.
    mutating func beginAttempt() -> Bool {
        attempts += 1
        return attempts == 1 || isRepeatable
    }

    /// Whether a socket may be opened for `address`; nil is an address of an unknown family.
    mutating func permits(_ address: PeerAddress?) -> Bool {
        guard let address, addressGuard.permits(address) else {
            refusedSockets += 1
            return false
        }
        openedSockets += 1
        return true
    }

    /// The longest time that sent data may stay unacknowledged, in milliseconds.
    var silenceLimit: Int { limits.deadline.wholeMilliseconds }

    func outcome(_ end: TransferOutcome.End, status: Int, requestBytes: Int) -> TransferOutcome {
        TransferOutcome(
            end: end,
            status: status,
            requestBytes: requestBytes,
            answer: answer,
            isAddressRefused: refusedSockets > 0 && openedSockets == 0,
            isUploadTaken: uploaded == upload.count)
    }
}
