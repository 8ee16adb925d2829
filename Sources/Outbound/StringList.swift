import CCurl

/// Owns a list of strings in libcurl's form.
@safe final class StringList {
    private var head: UnsafeMutablePointer<curl_slist>?

    init?(_ lines: [String]) {
        for line in lines {
            guard let extended = unsafe curl_slist_append(head, line) else { return nil }
            unsafe head = unsafe extended
        }
    }

    deinit {
        unsafe curl_slist_free_all(head)
    }

    /// Lends the list, which lives as long as this object.
    func withPointer<T>(_ body: (UnsafeMutablePointer<curl_slist>?) -> T) -> T {
        unsafe body(head)
    }
}
