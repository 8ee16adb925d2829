import CZlib

/// Compression of bodies by gzip (RFC 1952).
enum Gzip {
    /// 15 is the largest window of deflate; 16 more asks zlib for the header and the checksum of gzip.
    private static let windowBits: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8

    /// Compresses as well as zlib can; nil without memory for it.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var state = unsafe z_stream()
        // zlib keeps this address until the end of the stream, so one scope owns the state.
        return unsafe withUnsafeMutablePointer(to: &state) { stream in
            let begun = unsafe deflateInit2_(
                stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size))
            guard begun == Z_OK else { return nil }
            defer { unsafe deflateEnd(stream) }
            return unsafe deflated(bytes, stream)
        }
    }

    private static func deflated(_ bytes: [UInt8], _ stream: UnsafeMutablePointer<z_stream>) -> [UInt8]? {
        let bound = unsafe Int(deflateBound(stream, UInt(bytes.count)))
        var isWhole = false
        let compressed = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                unsafe stream.pointee.next_in = input.baseAddress
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(bound)
                isWhole = unsafe deflate(stream, Z_FINISH) == Z_STREAM_END
                count = unsafe bound - Int(stream.pointee.avail_out)
            }
        }
        return isWhole ? compressed : nil
    }
}
