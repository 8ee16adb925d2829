import CCurl

/// Owns one libcurl easy handle with the memory its callbacks use.
///
/// The callbacks get this object unretained. It outlives every use: ``TransferEngine`` keeps it in its table or its pool from
/// creation until the multi handle is gone. It is made and used on the engine's thread alone.
@safe final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// What the callbacks of the present transfer work on.
    var state: TransferState?
    /// False once libcurl refused an option: such a transfer must not start, since the option may be a safety one.
    private(set) var isConfigured = true
    /// Which transfer this handle carries.
    private(set) var transferID = 0
    private var lists: [StringList] = []
    /// Where libcurl says in words what went wrong; it may write there as long as there is a handle.
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

    /// Forgets the last transfer (connections, TLS sessions and names stay known) and prepares for `plan`.
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

    /// The facts about the transfer, whose memory is let go.
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

    /// Takes the authorities of a PEM file in place of the system's.
    ///
    /// Those stand in a file and, mostly, in a folder beside it, which libcurl would go on looking into.
    func trustOnly(_ bundle: String) {
        set(CURLOPT_CAINFO, bundle)
        note(unsafe ccurl_set_text(pointer, CURLOPT_CAPATH, nil))
    }

    /// libcurl doesn't copy the list: it stays here until the next transfer is prepared.
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

    /// Takes the verdict on an option.
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
        // Otherwise a transfer that ends while its name is being resolved holds up all others until the resolver answers.
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
