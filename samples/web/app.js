// Shows the account after a sign-in, and calls samples/api with the access token.
import "./login-gateway.js"

const api = "http://localhost:8090"
const element = document.querySelector("gateway-sign-in")
const [panel, user, answer] = ["account", "user", "answer"].map(id => document.getElementById(id))

document.addEventListener("signed-in", event => void attempt(() => show(event.session)))
element.client.addEventListener("state", ({ state }) => {
    if (state.status !== "signedIn") hide()
})
for (const button of document.querySelectorAll("[data-call]")) {
    button.addEventListener("click", () => void attempt(() => call(button.dataset.call)))
}
document.getElementById("sign-out").addEventListener("click", () => void attempt(async () => {
    await (await element.client.session())?.signOut()
}))

async function show(session) {
    const { display_name: name, email } = await session.account.profile()
    user.textContent = [name, email].filter(Boolean).join(", ") || "An account without a name"
    panel.hidden = false
}

function hide() {
    panel.hidden = true
    user.textContent = answer.textContent = ""
}

/** `accessToken()` refreshes a token shortly before its expiry. */
async function call(path) {
    answer.textContent = ""
    const session = await element.client.session()
    if (session === undefined) return hide()
    const headers = { authorization: `Bearer ${await session.accessToken()}` }
    const response = await fetch(api + path, { headers }).catch(() => undefined)
    answer.textContent = response ? `${response.status} ${await response.text()}` : "Start samples/api: it does not answer."
}

/** Shows the text of a refusal. A sign-out elsewhere ends the session here too. */
async function attempt(work) {
    try {
        await work()
    } catch (error) {
        answer.textContent = error.message
    }
}
