// The page of the browser tests: shows the signed-in user, and lets two tabs refresh at the same moment.
import "/client/login-gateway.js"

const element = document.querySelector("gateway-sign-in")
const [user, problem] = [document.getElementById("user"), document.getElementById("problem")]
const buttons = [document.getElementById("add-passkey"), document.getElementById("sign-out")]

// The button's request for a passkey waits for `proceed()`: the driver's authenticator only answers requests that begin
// after its owner is there, and with the owner there it would answer the request for suggestions.
const ask = navigator.credentials.get.bind(navigator.credentials)
navigator.credentials.get = async options => {
    document.body.dataset.asked = options.mediation ?? "button"
    if (options.mediation === undefined) await new Promise(resolve => { window.proceed = resolve })
    return await ask(options)
}

document.addEventListener("signed-in", event => void show(event.session))
element.client.addEventListener("state", ({ state }) => {
    document.body.dataset.state = state.status
    if (state.status !== "signedIn") clear()
})

async function show(session) {
    user.textContent = (await session.account.profile()).email
    buttons.forEach(button => { button.hidden = false })
    // Tells one sign-in of a user from the next.
    user.dataset.count = Number(user.dataset.count ?? 0) + 1
}

function clear() {
    user.textContent = ""
    buttons.forEach(button => { button.hidden = true })
}

async function act(work) {
    try {
        await work(await element.client.session())
    } catch (error) {
        problem.textContent = `${error.name} ${error.code ?? ""} ${error.message}`
    }
}

buttons[0].addEventListener("click", () => void act(async session => {
    await session.account.addPasskey("Key")
    user.dataset.passkey = "added"
}))
buttons[1].addEventListener("click", () => void act(async session => await session.signOut()))

// Every tab asks for the access token at the same moment, several times, as soon as one tab says so.
const start = new BroadcastChannel("test")
start.onmessage = ({ data }) => {
    if (data === "seen") start.postMessage("go")
    void askForTokens()
}
addEventListener("storage", ({ key, newValue }) => {
    if (key?.endsWith(" session") && JSON.parse(newValue ?? "{}").expires_at === 0) start.postMessage("seen")
})

async function askForTokens() {
    const session = await element.client.session()
    window.received = await Promise.all(Array.from({ length: 5 }, () => session.accessToken()))
}

/** Makes the access token look expired; starts both tabs when the other one has seen it. */
window.expireAndRefresh = () => {
    const key = Object.keys(localStorage).find(name => name.endsWith(" session"))
    localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), expires_at: 0 }))
}

/** How often this tab has asked the gateway for new tokens. */
window.refreshes = () =>
    performance.getEntriesByType("resource").filter(entry => entry.name.endsWith("/v1/token/refresh")).length
