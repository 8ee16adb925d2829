// Properties of bodies and answers, with their types, limits and members.
import { escape, h, prose } from "./text.mjs"

/** Writes the schemas of one page. Objects that several of its calls use are shown once, at the end of the page. */
export class Schemas {
    /** The names of the schemas of bodies: only there a caller must know which members are required. */
    #sent

    constructor(document, calls) {
        this.document = document
        const often = [...this.#uses(calls)].filter(([name, count]) => count > 2 && this.#isLarge(name))
        this.shared = new Set(often.map(([name]) => name))
        this.#sent = new Set()
        for (const call of calls) this.#collect(call.body?.schema, this.#sent)
    }

    /** The names of the objects at the end of the page. */
    get names() {
        return [...this.shared].sort()
    }

    /** In how many calls of the page each named schema is used. */
    #uses(calls) {
        const counts = new Map()
        for (const call of calls) {
            const names = new Set()
            const roots = [call.body?.schema, ...call.answers.filter(isGood).map(answer => answer.schema)]
            for (const root of roots) this.#collect(root, names)
            for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
        }
        return counts
    }

    #collect(part, names) {
        if (part === null || typeof part !== "object") return
        const name = part.$ref?.split("/").pop()
        if (name !== undefined && !names.has(name)) {
            names.add(name)
            this.#collect(this.document.openAPI.components.schemas[name], names)
        }
        for (const [key, value] of Object.entries(part)) if (key !== "example") this.#collect(value, names)
    }

    #isLarge(name) {
        const schema = this.document.openAPI.components.schemas[name]
        return (schema?.oneOf ?? []).length > 0 || Object.keys(schema?.properties ?? {}).length > 3
    }

    objects() {
        return this.names.map(name => ({
            name, isSent: this.#sent.has(name),
            html: this.#parts(this.document.openAPI.components.schemas[name], [name])
        }))
    }

    /** The members of a body, or a line about one that has none. */
    html(schema) {
        const name = schema.$ref?.split("/").pop()
        if (this.shared.has(name)) return h("p", {}, link(name))
        return this.#parts(this.document.resolved(schema), name ? [name] : [])
    }

    #parts(schema, seen) {
        const choices = schema.oneOf ?? schema.anyOf
        if (choices) return this.#choices(choices, seen)
        if (schema.type === "array") return typeLine("A list.") + this.#below(schema.items, seen)
        const members = Object.entries(schema.properties ?? {})
        if (members.length === 0) return typeLine(typeOf(schema, this.document))
        const items = members.map(([name, part]) =>
            this.part(name, part, schema.required?.includes(name) ?? false, seen))
        return h("ul", { class: "parts" }, items)
    }

    #choices(choices, seen) {
        const items = choices.map(choice => {
            const name = choice.$ref?.split("/").pop() ?? typeOf(choice, this.document)
            const schema = this.document.resolved(choice)
            const kind = schema.properties?.type?.const ?? schema.properties?.status?.const
            const title = kind === undefined ? escape(name) : h("code", {}, escape(kind))
            if (this.shared.has(name)) return h("li", {}, title, " ", link(name))
            if (seen.includes(name)) return h("li", {}, title)
            const parts = this.#parts(schema, [...seen, name])
            return h("li", {}, h("details", {}, h("summary", {}, title), this.#text(schema), parts))
        })
        return typeLine("One of:") + h("ul", { class: "choices" }, items)
    }

    #text(schema) {
        return schema.description ? h("p", {}, prose(schema.description, this.document)) : ""
    }

    /** One property or parameter. */
    part(name, reference, isRequired, seen = []) {
        const own = reference.schema ? { ...reference.schema, ...described(reference) } : reference
        const schema = this.document.resolved(own)
        const facts = [h("code", {}, escape(name)), h("span", { class: "type" }, escape(typeOf(schema, this.document)))]
        if (isRequired) facts.push(h("span", { class: "required" }, "required"))
        const rules = limits(schema).map(rule => h("span", { class: "rule" }, rule))
        return h("li", {}, h("p", { class: "name" }, facts.join(" ")), this.#text(schema),
            rules.length > 0 ? h("p", { class: "rules" }, rules.join(" ")) : "", this.#members(reference, schema, seen))
    }

    /** The members of an object, of a list's objects, or of each choice. */
    #members(reference, schema, seen) {
        return this.#below([schema.items, reference].find(one => one?.$ref) ?? schema.items ?? schema, seen)
    }

    #below(target, seen) {
        const name = target.$ref?.split("/").pop()
        if (this.shared.has(name)) return h("p", {}, link(name))
        const schema = this.document.resolved(target)
        if (seen.includes(name) || !(schema.properties ?? schema.oneOf ?? schema.anyOf)) return ""
        const title = h("summary", {}, name ? `Members of ${escape(name)}` : "Members")
        return h("details", {}, title, this.#parts(schema, name ? [...seen, name] : seen))
    }
}

const typeLine = text => h("p", { class: "type" }, escape(text))

export const isGood = answer => answer.status.startsWith("2")

const described = part => (part.description ? { description: part.description } : {})

const link = name => h("a", { class: "object", href: `#object-${name}` }, name)

/** The type in words. */
function typeOf(schema, document) {
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    const types = [schema.type ?? (schema.enum ? "string" : schema.oneOf ?? schema.anyOf ? "object" : "any")].flat()
    return types.map(type => {
        if (type === "array") return `list of ${plural(typeOf(document.resolved(schema.items ?? {}), document))}`
        return type === "string" && schema.format ? formats[schema.format] ?? schema.format : type
    }).join(" or ")
}

const formats = { uuid: "UUID", "date-time": "time" }
const plurals = { string: "strings", object: "objects", integer: "integers", UUID: "UUIDs", time: "times" }
const plural = word => plurals[word] ?? word

/** What limits the value. */
function limits(schema) {
    const rules = []
    const values = (schema.enum ?? schema.items?.enum ?? []).filter(value => value !== null)
    if (values.length > 0 && values.length < 30) rules.push(values.map(value => code(value)).join(" "))
    const { minLength: least, maxLength: most } = schema
    if (least !== undefined && most !== undefined) rules.push(`${least} to ${most} characters`)
    else if (most !== undefined) rules.push(`at most ${most.toLocaleString("en")} characters`)
    if (schema.minimum !== undefined) rules.push(`at least ${schema.minimum}`)
    if (schema.maximum !== undefined) rules.push(`at most ${schema.maximum}`)
    if (schema.default !== undefined && schema.default !== null) rules.push(`default ${code(schema.default)}`)
    return rules
}

const code = value => h("code", {}, escape(value))
