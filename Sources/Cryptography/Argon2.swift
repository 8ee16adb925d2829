import CArgon2

/// The cost of one password hash.
package struct Argon2Parameters: Sendable, Equatable {
    package var memoryKiB: Int
    package var passes: Int
    package var lanes: Int

    package init(memoryKiB: Int, passes: Int, lanes: Int) {
        self.memoryKiB = memoryKiB
        self.passes = passes
        self.lanes = lanes
    }

    /// 19 MiB and two passes: about 19 ms per hash on the measured machine.
    package static let standard = Argon2Parameters(memoryKiB: 19_456, passes: 2, lanes: 1)

    /// The limit of KiB times passes for a hash.
    package static let mostWork = HashCost.mostArgon2Work

    /// Whether a hash with these parameters may be computed.
    ///
    /// A higher cost would let one stored hash take all memory or occupy a thread for seconds.
    package var isAffordable: Bool {
        (1...16).contains(lanes) && (8 * lanes...HashCost.mostMemory / 1_024).contains(memoryKiB)
            && (1...16).contains(passes) && memoryKiB * passes <= Self.mostWork
    }
}

/// Argon2id, version 1.3 (RFC 9106); the other kinds are for imported hashes.
enum Argon2 {
    static let version = 0x13
    /// The version of texts without one.
    static let firstVersion = 0x10

    enum Variant: String, Sendable {
        case argon2d, argon2i, argon2id
    }

    struct Kind: Sendable, Equatable {
        static let own = Kind(variant: .argon2id, version: Argon2.version)

        let variant: Variant
        let version: Int
    }

    /// Blocks the calling thread.
    ///
    /// The library wipes its memory, which comes from ``HashMemory``, before it returns it.
    static func digest(
        _ password: [UInt8], salt: [UInt8], parameters: Argon2Parameters, length: Int,
        kind: Kind = .own, secret: [UInt8] = [], associated: [UInt8] = []
    ) throws(PasswordHashError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: length)
        var password = password
        var salt = salt
        var secret = secret
        var associated = associated
        var context = unsafe argon2_context()
        let result = unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe password.withUnsafeMutableBufferPointer { password in
                unsafe salt.withUnsafeMutableBufferPointer { salt in
                    unsafe secret.withUnsafeMutableBufferPointer { secret in
                        unsafe associated.withUnsafeMutableBufferPointer { associated in
                            unsafe context.set(output, password, salt, secret, associated)
                            unsafe context.set(parameters, version: kind.version)
                            return unsafe argon2_ctx(&context, kind.variant.type)
                        }
                    }
                }
            }
        }
        guard result == ARGON2_OK.rawValue else { throw .failed(code: result) }
        return output
    }
}

extension Argon2.Variant {
    fileprivate var type: argon2_type {
        switch self {
        case .argon2d: Argon2_d
        case .argon2i: Argon2_i
        case .argon2id: Argon2_id
        }
    }
}

extension argon2_context {
    fileprivate mutating func set(
        _ output: UnsafeMutableBufferPointer<UInt8>, _ password: UnsafeMutableBufferPointer<UInt8>,
        _ salt: UnsafeMutableBufferPointer<UInt8>, _ secret: UnsafeMutableBufferPointer<UInt8>,
        _ associated: UnsafeMutableBufferPointer<UInt8>
    ) {
        unsafe (out, outlen) = (output.baseAddress, UInt32(output.count))
        unsafe (pwd, pwdlen) = (password.baseAddress, UInt32(password.count))
        unsafe (self.salt, saltlen) = (salt.baseAddress, UInt32(salt.count))
        unsafe (self.secret, secretlen) = (secret.baseAddress, UInt32(secret.count))
        unsafe (ad, adlen) = (associated.baseAddress, UInt32(associated.count))
    }

    /// One thread for any number of lanes, because each hash may use only the calling thread.
    fileprivate mutating func set(_ parameters: Argon2Parameters, version: Int) {
        unsafe m_cost = UInt32(parameters.memoryKiB)
        unsafe t_cost = UInt32(parameters.passes)
        unsafe lanes = UInt32(parameters.lanes)
        unsafe threads = 1
        unsafe self.version = UInt32(version)
        unsafe flags = UInt32(1)
        unsafe allocate_cbk = { place, size in
            guard let place = unsafe place, let block = HashMemory.take(size) else {
                return ARGON2_MEMORY_ALLOCATION_ERROR.rawValue
            }
            unsafe place.pointee = block.start.assumingMemoryBound(to: UInt8.self)
            return ARGON2_OK.rawValue
        }
        unsafe free_cbk = { start, size in
            guard let start = unsafe start else { return }
            unsafe HashMemory.keep(HashMemory.Block(start: UnsafeMutableRawPointer(start), size: size))
        }
    }
}
