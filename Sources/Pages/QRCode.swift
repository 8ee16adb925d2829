import CQREncode

/// A text as a QR code (ISO/IEC 18004) of error correction level M.
package struct QRCode: Sendable, Equatable {
    /// The text is empty or doesn't fit into the largest symbol, or there was no memory for it.
    package struct NotEncodable: Error, Equatable {}

    /// Light modules that a reader needs on each side.
    private static let quietZone = 4

    /// Modules on a side, the quiet zone included.
    package let side: Int
    /// The dark modules as the data of an SVG path, one unit a module.
    package let path: String

    /// - Throws: ``NotEncodable``.
    package init(_ text: String) throws(NotEncodable) {
        let bytes = Array(text.utf8)
        // 0 is the smallest version that holds them.
        let code = unsafe bytes.withUnsafeBufferPointer {
            unsafe QRcode_encodeData(Int32($0.count), $0.baseAddress, 0, QR_ECLEVEL_M)
        }
        guard let code = unsafe code else { throw NotEncodable() }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        let modules = unsafe UnsafeBufferPointer(start: unsafe code.pointee.data, count: width * width)
        side = width + 2 * Self.quietZone
        // The lowest bit of a module is its colour.
        path = Self.path(unsafe modules.map { $0 & 1 == 1 }, width: width)
    }

    /// The code as an SVG document: black on white on every background, because readers need that.
    package static func svg(_ text: String, title: String = "QR code") throws(NotEncodable) -> String {
        let code = try QRCode(text)
        var heading: [UInt8] = []
        HTMLText.append(title, to: &heading)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(code.side) \(code.side)" role="img" shape-rendering="crispEdges">\
            <title>\(String(decoding: heading, as: UTF8.self))</title><rect width="100%" height="100%" fill="#fff"/>\
            <path d="\(code.path)" fill="#000"/></svg>
            """
    }

    /// A rectangle for each run of dark modules in a row.
    private static func path(_ isDark: [Bool], width: Int) -> String {
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                let start = column
                while column < width, isDark[row * width + column] { column += 1 }
                if column > start {
                    path += "M\(start + quietZone) \(row + quietZone)h\(column - start)v1H\(start + quietZone)z"
                }
                column += 1
            }
        }
        return path
    }
}
