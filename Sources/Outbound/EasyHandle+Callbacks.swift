import CCurl

extension EasyHandle {
    func setCallbacks(for plan: some TransferPlan) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        note(unsafe ccurl_set_pointer(pointer, CURLOPT_PRIVATE, context))
        note(unsafe ccurl_set_socket_callback(pointer, CURLOPT_OPENSOCKETFUNCTION, openGuardedSocket))
        note(unsafe ccurl_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, context))
        note(unsafe ccurl_set_request_callback(pointer, beginRequest))
        note(unsafe ccurl_set_pointer(pointer, CURLOPT_PREREQDATA, context))
        note(unsafe ccurl_set_data_callback(pointer, CURLOPT_WRITEFUNCTION, receiveBody))
        note(unsafe ccurl_set_pointer(pointer, CURLOPT_WRITEDATA, context))
        if plan.hasHeaderFields {
            note(unsafe ccurl_set_data_callback(pointer, CURLOPT_HEADERFUNCTION, receiveHeader))
            note(unsafe ccurl_set_pointer(pointer, CURLOPT_HEADERDATA, context))
        }
        if plan.upload != nil {
            note(unsafe ccurl_set_data_callback(pointer, CURLOPT_READFUNCTION, provideUpload))
            note(unsafe ccurl_set_pointer(pointer, CURLOPT_READDATA, context))
        }
    }

    /// The object of a handle in a libcurl message.
    static func owner(of pointer: UnsafeMutableRawPointer) -> EasyHandle? {
        var context: UnsafeMutableRawPointer?
        guard unsafe ccurl_get_pointer(pointer, CURLINFO_PRIVATE, &context) == CURLE_OK else { return nil }
        return unsafe handle(context)
    }

    fileprivate func openSocket(for address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        let length = unsafe Int(ccurl_address_bytes(address, &bytes))
        guard state?.permits(PeerAddress(bytes: Array(bytes.prefix(length)))) == true else { return CURL_SOCKET_BAD }
        return unsafe ccurl_open_socket(address, UInt32(clamping: state?.silenceLimit ?? 0))
    }

    fileprivate func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
        guard let piece = state?.nextUpload(atMost: room.count) else { return Int(CURL_READFUNC_ABORT) }
        unsafe room.copyBytes(from: piece)
        return piece.count
    }
}

private func handle(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
    unsafe context.map { unsafe Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe handle(context)?.state?.takeBody(piece) == true ? size * count : Int(CURL_WRITEFUNC_ERROR)
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe handle(context)?.state?.takeHeaderLine(line) == true ? size * count : Int(CURL_WRITEFUNC_ERROR)
}

private func provideUpload(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return unsafe handle(context)?.fill(room) ?? Int(CURL_READFUNC_ABORT)
}

/// Runs before each attempt to send a request, on a new connection or a kept one.
private func beginRequest(
    _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
    _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
    unsafe handle(context)?.state?.beginAttempt() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private func openGuardedSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address = unsafe address, let handle = unsafe handle(context) else { return CURL_SOCKET_BAD }
    return unsafe handle.openSocket(for: address)
}
