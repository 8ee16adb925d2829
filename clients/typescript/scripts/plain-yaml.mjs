// Reads the small part of YAML that docs/openapi.yaml keeps to: two spaces a level, one value a line, texts plain or as
// JSON writes them, and whole JSON values.

/** The document as an object. */
export function parse(text) {
    const lines = text.split("\n")
        .map((line, index) => ({ number: index + 1, indent: line.search(/\S/), text: line.trim() }))
        .filter(line => line.text !== "" && !line.text.startsWith("#"))
    return new Reader(lines).block(0)
}

class Reader {
    #place = 0

    constructor(lines) {
        this.lines = lines
    }

    get #line() {
        return this.lines[this.#place]
    }

    /** The mapping or the list whose lines have this indent. */
    block(indent) {
        return this.#line.text.startsWith("- ") ? this.#list(indent) : this.#mapping(indent)
    }

    #list(indent) {
        const items = []
        while (this.#line?.indent === indent && this.#line.text.startsWith("- ")) {
            const rest = this.#line.text.slice(2)
            if (/^[{["]/.test(rest) || !rest.includes(": ")) {
                items.push(scalar(rest))
                this.#place++
            } else {
                // A mapping that begins on the line of the hyphen.
                this.lines[this.#place] = { ...this.#line, indent: indent + 2, text: rest }
                items.push(this.#mapping(indent + 2))
            }
        }
        return items
    }

    #mapping(indent) {
        const result = {}
        while (this.#line?.indent === indent && !this.#line.text.startsWith("- ")) {
            const found = /^("[^"]*"|[^\s"{[][^:]*):(?: (.*))?$/.exec(this.#line.text)
            if (found === null) throw new Error(`Line ${this.#line.number} is no plain YAML: ${this.#line.text}`)
            const key = found[1].startsWith('"') ? JSON.parse(found[1]) : found[1]
            this.#place++
            result[key] = found[2] === undefined ? this.block(this.#line.indent) : scalar(found[2])
        }
        return result
    }
}

function scalar(text) {
    if (/^[{["]/.test(text)) return JSON.parse(text)
    if (text === "true" || text === "false") return text === "true"
    return /^-?\d+$/.test(text) ? Number(text) : text
}
