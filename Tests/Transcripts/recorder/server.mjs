// The servers that a recording talks to: the gateway, the provider simulator, and the folder that mails are written to.
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

/** Sends one JSON request; resolves with status, headers and body. */
export async function send(base, { method, path, headers = {}, body }) {
    const answer = await fetch(base + path, {
        method, headers, body: body === undefined ? undefined : JSON.stringify(body), redirect: "manual"
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) }
}

/** Gateway, simulator and mails of one recording. */
export class Servers {
    constructor({ gateway, simulator, mail }) {
        Object.assign(this, { gateway, simulator, mail })
    }

    /** Sends a request that the transcript does not contain; throws unless it succeeds. */
    async prepare(method, path, body, bearer) {
        const headers = { "content-type": "application/json" }
        if (bearer) headers.authorization = `Bearer ${bearer}`
        const answer = await send(this.gateway, { method, path, headers, body })
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
        return answer.body
    }

    /** Issues a credential of a simulated provider (docs/simulator.md). */
    async mint(provider, members) {
        const headers = { "content-type": "application/json" }
        const body = { provider, ...members }
        const answer = await send(this.simulator, { method: "POST", path: "/control/mint", headers, body })
        if (answer.status >= 300) throw new Error(`mint ${provider}: ${JSON.stringify(answer.body)}`)
        return answer.body
    }

    /** Resolves with the code of the given mail (1 is the first) to an address, as soon as it is there. */
    mailedCode = (address, number = 1) => this.#code(".eml", address, number, codeOf)

    /** The same for the text messages to a number. */
    textedCode = (phone, number = 1) =>
        this.#code(".sms.txt", phone, number, text => /(?<!\d)(\d{6})(?!\d)/.exec(text.slice(text.indexOf("\n")))?.[1])

    async #code(ending, address, number, read) {
        const end = Date.now() + 30_000
        while (Date.now() < end) {
            const codes = (await this.#messages(ending, address)).map(read).filter(Boolean)
            if (codes.length >= number) return codes[number - 1]
            await new Promise(resolve => setTimeout(resolve, 50))
        }
        throw new Error(`No message number ${number} with a code came to ${address}.`)
    }

    async #messages(ending, address) {
        // The first message makes the folder.
        const files = await readdir(this.mail).catch(() => [])
        const names = files.filter(name => name.endsWith(ending)).sort()
        const texts = await Promise.all(names.map(name => readFile(join(this.mail, name), "utf8")))
        return texts.filter(text => header(text, "To").includes(address))
    }
}

function header(text, name) {
    const lines = text.split(/\r?\n/)
    const first = lines.findIndex(line => line.startsWith(`${name}: `))
    if (first < 0) return ""
    const folds = lines.slice(first + 1).findIndex(line => !line.startsWith(" "))
    const words = [lines[first].slice(name.length + 2), ...lines.slice(first + 1, first + 1 + folds)]
    return words.map(decodeWord).join("")
}

// RFC 2047, as the gateway writes it: UTF-8 in Base64.
function decodeWord(text) {
    const found = /^=\?UTF-8\?B\?(.*)\?=$/.exec(text.trim())
    return found ? Buffer.from(found[1], "base64").toString("utf8") : text
}

/** The six digits that the subject of a mail begins with. */
function codeOf(text) {
    return /^(\d{6})(?!\d)/.exec(header(text, "Subject"))?.[1]
}
