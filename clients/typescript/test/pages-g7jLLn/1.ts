import { GatewayClient, type Session } from "../../dist/index.js"
declare function greet(user: Session | string | null): void
declare function show(codes: readonly string[]): void
declare const client: GatewayClient
const result = await client.signInWithPasskey()
if (result.status === "signedIn") greet(result.session)

export {}
