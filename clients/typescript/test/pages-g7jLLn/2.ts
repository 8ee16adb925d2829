import { GatewayClient, type Session } from "../../dist/index.js"
declare function greet(user: Session | string | null): void
declare function show(codes: readonly string[]): void
declare const session: Session
const added = await session.account.addPasskey("Laptop")
if (added.recovery_codes) show(added.recovery_codes)

export {}
