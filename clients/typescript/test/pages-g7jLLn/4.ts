import { GatewayClient, type Session } from "../../dist/index.js"
declare function greet(user: Session | string | null): void
declare function show(codes: readonly string[]): void
declare const client: GatewayClient
const session = await client.completeRedirect() ?? await client.session()
if (session) greet((await session.account.profile()).display_name)
else document.querySelector<HTMLElement>("#sign-in").onclick = () =>
    client.redirect({ redirectUri: "https://www.your-company.com/", provider: "google" })

export {}
