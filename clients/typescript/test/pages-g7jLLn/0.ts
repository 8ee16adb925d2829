import { GatewayClient, type Session } from "../../dist/index.js"
declare function greet(user: Session | string | null): void
declare function show(codes: readonly string[]): void
const client = new GatewayClient({ url: "https://login.example.com", clientId: "app" })
const session = await client.completeRedirect() ?? await client.session()
if (session === undefined) await client.redirect({ redirectUri: "https://www.example.com/" })

export {}
