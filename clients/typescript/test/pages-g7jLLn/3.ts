import { GatewayClient, type Session } from "../../dist/index.js"
declare function greet(user: Session | string | null): void
declare function show(codes: readonly string[]): void

const client = new GatewayClient({ url: "https://login.your-company.com", clientId: "app" })
const current = await client.cookieSession()
if (current) greet(current.account.display_name)
else document.querySelector<HTMLElement>("#sign-in").onclick = () =>
    client.cookieRedirect({ redirectUri: "https://www.your-company.com/" })

export {}
