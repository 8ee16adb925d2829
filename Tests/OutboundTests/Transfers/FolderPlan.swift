import CCurl

@testable import Outbound

/// A transfer on a handle with a preset folder of authorities, like the system's folder in libcurl.
struct FolderPlan<Plan: TransferPlan>: TransferPlan {
    let plan: Plan
    let folder: String

    var limits: TransferLimits { plan.limits }
    var upload: [UInt8]? { plan.upload }
    var hasHeaderFields: Bool { plan.hasHeaderFields }
    var isRepeatable: Bool { plan.isRepeatable }
    var addressGuard: AddressGuard { plan.addressGuard }

    func apply(to handle: EasyHandle) {
        handle.set(CURLOPT_CAPATH, folder)
        plan.apply(to: handle)
    }

    /// libcurl's result.
    func verdict() async -> TransferOutcome.End {
        let loop = TransferLoop(name: "test", maximumInFlight: 1)
        let outcome = await loop.run(self)
        await loop.shutdown()
        return outcome.end
    }
}
