import CCurl

/// Owns one libcurl easy handle with the memory its callbacks use.
///
/// The callbacks get this object unretained. It outlives every use: ``TransferEngine`` keeps it in its table or its
/// pool from creation until it frees the multi handle. Only the engine's thread creates and uses it.
@safe package final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// The state for the callbacks of the present transfer.
    var state: TransferState?
    /// False once libcurl refused an option, perhaps a safety one, so that the transfer must not start.
    private(set) var isConfigured = true
    /// The id of the present transfer.
    private(set) var transferID = 0
    private var lists: [StringList] = []
    /// The buffer for libcurl's error message; libcurl may write there throughout the handle's life.
    private let words: UnsafeMutablePointer<CChar>

    init?() {
        guard let pointer = unsafe curl_easy_init() else { return nil }
        unsafe self.pointer = unsafe pointer
        unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe words.deallocate()
    }

    /// Resets the handle for `plan`; connections, TLS sessions and names stay known.
    func prepare(for plan: some TransferPlan, transferID: Int) {
        unsafe curl_easy_reset(pointer)
        lists = []
        isConfigured = true
        self.transferID = transferID
        state = TransferState(plan)
        unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setCallbacks(for: plan)
        setCommonOptions(plan.limits)
        plan.apply(to: self)
    }

    /// Returns the facts about the transfer, and releases its memory.
    func takeOutcome(_ end: TransferOutcome.End) -> TransferOutcome {
        defer { state = nil }
        var outcome =
            state?.outcome(end, status: info(CURLINFO_RESPONSE_CODE), requestBytes: info(CURLINFO_REQUEST_SIZE))
            ?? TransferOutcome(end: end)
        outcome.words = unsafe String(cString: words)
        return outcome
    }

    func add(to multi: UnsafeMutableRawPointer) -> Bool {
        unsafe curl_multi_add_handle(multi, pointer) == CURLM_OK
    }

    func remove(from multi: UnsafeMutableRawPointer) {
        unsafe curl_multi_remove_handle(multi, pointer)
    }

    private func info(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe ccurl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }
}

// MARK: - Options

extension EasyHandle {
    func set(_ option: CURLoption, _ value: Int) {
        note(unsafe ccurl_set_long(pointer, option, value))
    }

    /// libcurl copies the text.
    func set(_ option: CURLoption, _ value: String) {
        note(unsafe ccurl_set_text(pointer, option, value))
    }

    /// Trusts the authorities of a PEM file instead of the system's.
    ///
    /// The system's authorities may be in a file and a folder, and libcurl would otherwise still search the folder.
    func trustOnly(_ bundle: String) {
        set(CURLOPT_CAINFO, bundle)
        note(unsafe ccurl_set_text(pointer, CURLOPT_CAPATH, nil))
    }

    /// libcurl does not copy the list, so it stays here until the next transfer is prepared.
    func set(_ option: CURLoption, _ lines: [String]) {
        guard let list = StringList(lines) else {
            isConfigured = false
            return
        }
        lists.append(list)
        note(unsafe list.withPointer { unsafe ccurl_set_list(pointer, option, $0) })
    }

    /// The body of a POST; libcurl copies it.
    func setBody(_ body: [UInt8]) {
        note(unsafe ccurl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, body.count))
        var body = body.isEmpty ? [0] : body
        note(unsafe ccurl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, &body))
    }

    /// Records libcurl's result for an option.
    func note(_ code: CURLcode) {
        if code != CURLE_OK { isConfigured = false }
    }

    private func setCommonOptions(_ limits: TransferLimits) {
        note(unsafe ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, words))
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        set(CURLOPT_TIMEOUT_MS, limits.deadline.wholeMilliseconds)
        set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectDeadline.wholeMilliseconds)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // Otherwise a transfer that ends during name resolution blocks all others until the resolver answers.
        set(CURLOPT_QUICK_EXIT, 1)
    }
}

extension Duration {
    /// At least 1, since libcurl takes 0 for "no limit"; at most a day.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 86_400 else { return 86_400_000 }
        return max(1, Int(max(0, seconds)) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
