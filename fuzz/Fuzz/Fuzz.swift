import Glibc

/// The target that `FUZZ_TARGET` names.
///
/// libFuzzer's library has the `main`. It starts this program again by its arguments, so the target is not among them.
private let target = unsafe getenv("FUZZ_TARGET").flatMap { FuzzTarget(rawValue: unsafe String(cString: $0)) }

@_cdecl("LLVMFuzzerInitialize")
func initialize(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt {
    guard target == nil else { return 0 }
    // The list that the script shows and runs.
    print(FuzzTarget.allCases.map(\.rawValue).sorted().joined(separator: "\n"))
    exit(0)
}

@_cdecl("LLVMFuzzerTestOneInput")
func read(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target?.read(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// Ends the program where a property does not hold; libFuzzer then keeps the input.
func hold(_ condition: Bool, _ property: StaticString) {
    if !condition { fatalError("Does not hold: \(property)") }
}
