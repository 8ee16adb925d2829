import CCurl

/// A validated HTTP request, ready for libcurl.
struct HTTPTransferPlan: TransferPlan {
    private static let userAgent = "login-gateway"
    let request: HTTPRequest
    let url: OutboundURL
    let caBundle: String?
    let addressGuard: AddressGuard

    /// - Throws: `.invalidRequest` or `.addressRefused`.
    init(_ request: HTTPRequest, configuration: OutboundConfiguration) throws(TransferError) {
        url = try OutboundURL(request.url, allowsLocal: configuration.insecureAllowLocal)
        try HeaderRules.check(request.headers)
        guard request.method == .post || request.body == nil, request.body?.count ?? 0 <= 1024 * 1024 else {
            throw .invalidRequest("body")
        }
        self.request = request
        caBundle = configuration.caBundle
        addressGuard = AddressGuard(
            allowsLocal: configuration.insecureAllowLocal, requiresLocal: !url.isEncrypted)
    }

    var limits: TransferLimits {
        TransferLimits(
            deadline: request.deadline, connectDeadline: min(request.connectDeadline, request.deadline),
            maximumBytes: request.maximumBytes)
    }

    var upload: [UInt8]? { nil }

    var hasHeaderFields: Bool { true }

    /// A POST may have an effect that works only once, such as exchanging a code.
    var isRepeatable: Bool { request.method == .get }

    func apply(to handle: EasyHandle) {
        handle.set(CURLOPT_URL, url.text)
        handle.set(CURLOPT_PROTOCOLS_STR, url.isEncrypted ? "https" : "http")
        handle.set(CURLOPT_FOLLOWLOCATION, 0)
        handle.set(CURLOPT_MAXFILESIZE, min(request.maximumBytes, Int(Int32.max)))
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        handle.set(CURLOPT_USERAGENT, Self.userAgent)
        if let caBundle { handle.trustOnly(caBundle) }
        if request.method == .post { handle.setBody(request.body ?? []) }
        if !request.headers.isEmpty {
            handle.set(CURLOPT_HTTPHEADER, request.headers.map { "\($0.name): \($0.value)" })
        }
    }
}
