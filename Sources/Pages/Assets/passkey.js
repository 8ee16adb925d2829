// The form contains the options as JSON; its field returns the browser's answer as JSON (WebAuthn Level 3 §5.1).
const form = document.getElementById("passkey-form")

const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), letter => letter.charCodeAt(0))
const text = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")
const descriptors = list => (list || []).map(one => ({ ...one, id: bytes(one.id) }))

function readOptions(json) {
    const options = { ...json, challenge: bytes(json.challenge) }
    if (json.user) options.user = { ...json.user, id: bytes(json.user.id) }
    if (json.allowCredentials) options.allowCredentials = descriptors(json.allowCredentials)
    if (json.excludeCredentials) options.excludeCredentials = descriptors(json.excludeCredentials)
    return options
}

function write(credential) {
    const response = {}
    for (const name of ["clientDataJSON", "authenticatorData", "signature", "userHandle", "attestationObject"]) {
        if (credential.response[name]) response[name] = text(credential.response[name])
    }
    if (credential.response.getTransports) response.transports = credential.response.getTransports()
    return {
        id: credential.id, rawId: text(credential.rawId), type: credential.type, response,
        authenticatorAttachment: credential.authenticatorAttachment || undefined,
        clientExtensionResults: credential.getClientExtensionResults()
    }
}

function send(credential) {
    form.elements.credential.value = JSON.stringify(write(credential))
    HTMLFormElement.prototype.submit.call(form)
}

if (form && window.PublicKeyCredential) {
    const publicKey = readOptions(JSON.parse(form.dataset.options))
    const use = form.dataset.use
    // Browsers allow one request at a time: the button ends the background request.
    let quiet = null
    form.addEventListener("submit", async event => {
        event.preventDefault()
        if (quiet) quiet.abort()
        const problem = document.getElementById("passkey-problem")
        problem.hidden = true
        try {
            send(await (use === "create" ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey })))
        } catch {
            problem.hidden = false
        }
    })
    form.hidden = false
    if (use === "suggest") suggest()

    // A device that can hold a passkey is offered one after the password.
    const password = document.querySelector("#password-form [type=password]")
    if (password) PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().then(isPossible => {
        const field = { type: "hidden", name: "passkey_possible", value: "true" }
        if (isPossible) password.form.append(Object.assign(document.createElement("input"), field))
    })

    // Passkeys among the browser's suggestions for the name.
    async function suggest() {
        if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return
        quiet = new AbortController()
        try {
            send(await navigator.credentials.get({ publicKey, mediation: "conditional", signal: quiet.signal }))
        } catch {
            // Ended by the button or the user: the page is unchanged.
        }
    }
}
