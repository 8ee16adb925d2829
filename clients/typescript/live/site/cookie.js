// Cookie mode: the page never has a token.
import { GatewayClient } from "/client/login-gateway.js"

const url = document.getElementById("script").dataset.gateway
const client = new GatewayClient({ url, clientId: "app" })
document.getElementById("sign-in").addEventListener("click", () => {
    client.cookieRedirect({ redirectUri: location.origin + location.pathname })
})
const current = await client.cookieSession()
document.getElementById("user").textContent = current?.account.email ?? "nobody"
