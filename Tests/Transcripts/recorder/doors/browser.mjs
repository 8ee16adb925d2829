// A simple browser for the hosted pages: it keeps cookies, follows redirects of the gateway, and fills in forms.

const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" }
const attribute = (tag, name) =>
    new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1].replace(/&(lt|gt|quot|#39|amp);/g, entity => entities[entity])

export class Browser {
    #cookies = new Map()
    #page = ""

    constructor(gateway) {
        this.gateway = gateway
    }

    /** Opens an address; resolves with the address that the browser left the gateway for, if it did. */
    async open(path, form) {
        const answer = await fetch(this.gateway + path, {
            method: form ? "POST" : "GET", redirect: "manual", body: form,
            headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
        })
        for (const line of answer.headers.getSetCookie()) this.#keep(line)
        const location = answer.headers.get("location")
        this.#page = await answer.text()
        if (location === null) return undefined
        return location.startsWith("/") ? await this.open(location) : location
    }

    #keep(line) {
        const [name, ...value] = line.split(";")[0].split("=")
        if (line.includes("Max-Age=0")) this.#cookies.delete(name)
        else this.#cookies.set(name, value.join("="))
    }

    /** Submits the form with that action. */
    async submit(action, typed) {
        const form = this.#page.split("<form ").slice(1).map(piece => piece.split("</form>")[0])
            .find(piece => attribute(" " + piece, "action") === action)
        if (form === undefined) throw new Error(`No form leads to ${action}: ${this.#page}`)
        const fields = form.split("<input").slice(1).map(piece => piece.split(">")[0])
            .filter(tag => attribute(tag, "name") !== undefined)
            .map(tag => [attribute(tag, "name"), attribute(tag, "value") ?? ""])
        return await this.open(action, new URLSearchParams(fields.map(([name, value]) => [name, typed[name] ?? value])))
    }

    /** Signs in with a password: on one page, or on two. */
    async signIn(path, username, password) {
        await this.open(path)
        return await this.submit("/login", { username, password })
            ?? await this.submit("/login", { username, password })
    }
}
