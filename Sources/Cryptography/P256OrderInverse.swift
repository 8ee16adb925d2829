/// Inverts numbers modulo n, the order of P-256, in the same time and by the same steps for every number.
///
/// Bernstein and Yang, "Fast constant-time gcd computation and modular inversion" (2019), in the form that begins with
/// δ = ½: 590 steps are enough for 256 bits. Each looks at the lowest bits alone, so 59 are done on one word, gathered in
/// a matrix, and only then applied to the long numbers. It takes a seventh of the exponentiation that OpenSSL offers.
///
/// Nothing branches on a bit of the number: what depends on one is a mask.
enum P256OrderInverse {
    /// A number as five limbs of 62 bits, the lowest first.
    ///
    /// Only the highest has a sign once the number is made plain.
    private typealias Limbs = InlineArray<5, Int64>

    /// What 59 steps do to (f, g), times 2^62: they become (uf + vg, qf + rg).
    private struct Matrix {
        let u: Int64, v: Int64, q: Int64, r: Int64
    }

    private static let order: Limbs = [
        0x33B9_CAC2_FC63_2551, 0x339B_EAB6_9C5E_7A13, 0x3FFF_FFFF_FFFF_FFFB, 0x3FFF_FFC0_0000_003F, 0xFF,
    ]
    /// 1/n modulo 2^62.
    private static let inverseOfOrder: UInt64 = 0x332E_3755_11FF_43B1
    private static let limbMask: UInt64 = .max >> 2
    private static let rounds = 10
    private static let stepsOfRound = 59

    /// The inverse of a number in [1, n - 1]; both are 32 bytes, big-endian.
    static func inverse(of number: [UInt8]) -> [UInt8] {
        var f = order
        var g = limbs(number)
        // Modulo n, d times the number is f, and e times the number is g, from here to the end.
        var d: Limbs = [0, 0, 0, 0, 0]
        var e: Limbs = [1, 0, 0, 0, 0]
        var zeta: Int64 = -1
        for _ in 0..<rounds {
            let matrix = steps(&zeta, UInt64(bitPattern: f[0]), UInt64(bitPattern: g[0]))
            applyModuloOrder(matrix, &d, &e)
            apply(matrix, &f, &g)
        }
        // Now f is 1 or -1.
        makePlain(&d, negated: f[4] &>> 63)
        return bytes(d)
    }

    /// The steps of one round, which need the lowest words alone; `zeta` is -(δ + ½).
    @inline(__always)
    private static func steps(_ zeta: inout Int64, _ lowOfF: UInt64, _ lowOfG: UInt64) -> Matrix {
        // Eight times the identity, as 59 steps double three times too few.
        var (u, v, q, r): (UInt64, UInt64, UInt64, UInt64) = (8, 0, 0, 8)
        var (f, g) = (lowOfF, lowOfG)
        for _ in 0..<stepsOfRound {
            let isOdd = 0 &- (g & 1)
            let isNegative = UInt64(bitPattern: zeta &>> 63)
            g &+= ((f ^ isNegative) &- isNegative) & isOdd
            q &+= ((u ^ isNegative) &- isNegative) & isOdd
            r &+= ((v ^ isNegative) &- isNegative) & isOdd
            let isSwapped = isNegative & isOdd
            zeta = (zeta ^ Int64(bitPattern: isSwapped)) &- 1
            f &+= g & isSwapped
            u = (u &+ (q & isSwapped)) &<< 1
            v = (v &+ (r & isSwapped)) &<< 1
            g &>>= 1
        }
        return Matrix(
            u: Int64(bitPattern: u), v: Int64(bitPattern: v), q: Int64(bitPattern: q), r: Int64(bitPattern: r))
    }

    /// (f, g) becomes matrix·(f, g) / 2^62, which leaves no rest.
    @inline(__always)
    private static func apply(_ matrix: Matrix, _ f: inout Limbs, _ g: inout Limbs) {
        var newF = (product(matrix.u, f[0]) &+ product(matrix.v, g[0])) &>> 62
        var newG = (product(matrix.q, f[0]) &+ product(matrix.r, g[0])) &>> 62
        for index in 1..<5 {
            newF &+= product(matrix.u, f[index]) &+ product(matrix.v, g[index])
            newG &+= product(matrix.q, f[index]) &+ product(matrix.r, g[index])
            f[index - 1] = takeLimb(&newF)
            g[index - 1] = takeLimb(&newG)
        }
        f[4] = Int64(truncatingIfNeeded: newF)
        g[4] = Int64(truncatingIfNeeded: newG)
    }

    /// (d, e) becomes matrix·(d, e) / 2^62 modulo n; both stay between -2n and n.
    ///
    /// So many times n is added that no rest is left.
    @inline(__always)
    private static func applyModuloOrder(_ matrix: Matrix, _ d: inout Limbs, _ e: inout Limbs) {
        let (signOfD, signOfE) = (d[4] &>> 63, e[4] &>> 63)
        var newD = product(matrix.u, d[0]) &+ product(matrix.v, e[0])
        var newE = product(matrix.q, d[0]) &+ product(matrix.r, e[0])
        let timesD = times(newD, startingFrom: (matrix.u & signOfD) &+ (matrix.v & signOfE))
        let timesE = times(newE, startingFrom: (matrix.q & signOfD) &+ (matrix.r & signOfE))
        newD = (newD &+ product(order[0], timesD)) &>> 62
        newE = (newE &+ product(order[0], timesE)) &>> 62
        for index in 1..<5 {
            newD &+= product(matrix.u, d[index]) &+ product(matrix.v, e[index]) &+ product(order[index], timesD)
            newE &+= product(matrix.q, d[index]) &+ product(matrix.r, e[index]) &+ product(order[index], timesE)
            d[index - 1] = takeLimb(&newD)
            e[index - 1] = takeLimb(&newE)
        }
        d[4] = Int64(truncatingIfNeeded: newD)
        e[4] = Int64(truncatingIfNeeded: newE)
    }

    /// How many times n makes the lowest limb of a sum zero; `count` is where the search for it starts, downwards.
    @inline(__always)
    private static func times(_ sum: Int128, startingFrom count: Int64) -> Int64 {
        let excess = inverseOfOrder &* UInt64(truncatingIfNeeded: sum) &+ UInt64(bitPattern: count)
        return count &- Int64(bitPattern: excess & limbMask)
    }

    /// Brings a number between -2n and n, or its negative, into [0, n - 1].
    private static func makePlain(_ number: inout Limbs, negated mask: Int64) {
        addOrderWhereNegative(&number)
        for index in 0..<5 { number[index] = (number[index] ^ mask) &- mask }
        carry(&number)
        addOrderWhereNegative(&number)
        carry(&number)
    }

    private static func addOrderWhereNegative(_ number: inout Limbs) {
        let mask = number[4] &>> 63
        for index in 0..<5 { number[index] &+= order[index] & mask }
    }

    private static func carry(_ number: inout Limbs) {
        for index in 0..<4 {
            number[index + 1] &+= number[index] &>> 62
            number[index] &= Int64(bitPattern: limbMask)
        }
    }

    @inline(__always)
    private static func product(_ left: Int64, _ right: Int64) -> Int128 { Int128(left) &* Int128(right) }

    /// The lowest limb of a sum, which is left with the rest.
    @inline(__always)
    private static func takeLimb(_ sum: inout Int128) -> Int64 {
        defer { sum &>>= 62 }
        return Int64(bitPattern: UInt64(truncatingIfNeeded: sum) & limbMask)
    }
}

// MARK: Bytes

extension P256OrderInverse {
    private static func limbs(_ number: [UInt8]) -> Limbs {
        var limbs: Limbs = [0, 0, 0, 0, 0]
        for (place, byte) in number.reversed().enumerated() {
            let (index, shift) = (8 * place / 62, 8 * place % 62)
            let wide = UInt128(byte) << shift
            limbs[index] |= Int64(bitPattern: UInt64(truncatingIfNeeded: wide) & limbMask)
            if index < 4 { limbs[index + 1] |= Int64(truncatingIfNeeded: wide >> 62) }
        }
        return limbs
    }

    private static func bytes(_ number: Limbs) -> [UInt8] {
        (0..<32).reversed().map { place in
            let (index, shift) = (8 * place / 62, 8 * place % 62)
            let low = UInt64(bitPattern: number[index]) >> shift
            let high = index < 4 ? UInt64(bitPattern: number[index + 1]) << (62 - shift) : 0
            return UInt8(truncatingIfNeeded: low | high)
        }
    }
}
