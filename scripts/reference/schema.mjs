// Properties of bodies and answers, with their types, limits and members.
import { escape, prose } from "./text.mjs"

/** Writes the schemas of one page. Objects that several of its calls use are shown once, at the end of the page. */
export class Schemas {
    constructor(document, calls) {
        this.document = document
        this.shared = new Set([...this.#uses(calls)].filter(([name, count]) => count > 2 && this.#isLarge(name))
            .map(([name]) => name))
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

    /** The objects at the end of the page. */
    objects() {
        return [...this.shared].sort().map(name => ({
            name, html: this.#parts(this.document.openAPI.components.schemas[name], [name])
        }))
    }

    /** The members of a body, or a line about one that has none. */
    html(schema) {
        const name = schema.$ref?.split("/").pop()
        if (this.shared.has(name)) return `<p>${link(name)}</p>`
        return this.#parts(this.document.resolved(schema), name ? [name] : [])
    }

    #parts(schema, seen) {
        const choices = schema.oneOf ?? schema.anyOf
        if (choices) return this.#choices(choices, seen)
        if (schema.type === "array") return `<p class="type">A list.</p>${this.#below(schema.items, seen)}`
        const members = Object.entries(schema.properties ?? {})
        if (members.length === 0) return `<p class="type">${escape(typeOf(schema, this.document))}</p>`
        const items = members.map(([name, part]) => this.part(name, part, schema.required?.includes(name) ?? false, seen))
        return `<ul class="parts">${items.join("")}</ul>`
    }

    #choices(choices, seen) {
        const items = choices.map(choice => {
            const name = choice.$ref?.split("/").pop() ?? typeOf(choice, this.document)
            const schema = this.document.resolved(choice)
            const kind = schema.properties?.type?.const ?? schema.properties?.status?.const
            const title = kind === undefined ? escape(name) : `<code>${escape(kind)}</code>`
            const text = schema.description ? `<p>${prose(schema.description, this.document)}</p>` : ""
            if (this.shared.has(name)) return `<li>${title} ${link(name)}</li>`
            if (seen.includes(name)) return `<li>${title}</li>`
            const parts = this.#parts(schema, [...seen, name])
            return `<li><details><summary>${title}</summary>${text}${parts}</details></li>`
        })
        return `<p class="type">One of:</p><ul class="choices">${items.join("")}</ul>`
    }

    /** One property or parameter. */
    part(name, reference, isRequired, seen = []) {
        const schema = this.document.resolved(reference.schema ? { ...reference.schema, ...described(reference) } : reference)
        const facts = [`<span class="type">${escape(typeOf(schema, this.document))}</span>`]
        if (isRequired) facts.push('<span class="required">required</span>')
        const rules = limits(schema).map(rule => `<span class="rule">${rule}</span>`)
        const text = schema.description ? `<p>${prose(schema.description, this.document)}</p>` : ""
        return `<li><p class="name"><code>${escape(name)}</code> ${facts.join(" ")}</p>${text}`
            + `${rules.length > 0 ? `<p class="rules">${rules.join(" ")}</p>` : ""}${this.#members(reference, schema, seen)}</li>`
    }

    /** The members of an object, of a list's objects, or of each choice. */
    #members(reference, schema, seen) {
        const target = [schema.items, reference].find(one => one?.$ref) ?? schema.items ?? schema
        const html = this.#below(target, seen)
        return html.startsWith("<p class=\"type\">") && !html.includes("<ul") ? "" : html
    }

    #below(target, seen) {
        const name = target.$ref?.split("/").pop()
        if (this.shared.has(name)) return `<p>${link(name)}</p>`
        if (seen.includes(name)) return ""
        const schema = this.document.resolved(target)
        if (!schema.properties && !schema.oneOf && !schema.anyOf) return ""
        const parts = this.#parts(schema, name ? [...seen, name] : seen)
        return `<details><summary>${name ? `Members of ${escape(name)}` : "Members"}</summary>${parts}</details>`
    }
}

export const isGood = answer => answer.status.startsWith("2")

const described = part => (part.description ? { description: part.description } : {})

const link = name => `<a class="object" href="#object-${name}">${name}</a>`

/** The type in words. */
function typeOf(schema, document) {
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    const types = [schema.type ?? (schema.enum ? "string" : schema.oneOf ?? schema.anyOf ? "object" : "any")].flat()
    const words = types.map(type => {
        if (type === "array") return `list of ${plural(schema.items ? typeOf(document.resolved(schema.items), document) : "any")}`
        return type === "string" && schema.format ? { uuid: "UUID", "date-time": "time" }[schema.format] ?? schema.format : type
    })
    return words.join(" or ")
}

const plural = word => ({ string: "strings", object: "objects", integer: "integers", UUID: "UUIDs", time: "times" })[word] ?? word

/** What limits the value. */
function limits(schema) {
    const rules = []
    const values = (schema.enum ?? schema.items?.enum ?? []).filter(value => value !== null)
    if (values.length > 0 && values.length < 30) rules.push(values.map(value => `<code>${escape(value)}</code>`).join(" "))
    const { minLength: least, maxLength: most } = schema
    if (least !== undefined && most !== undefined) rules.push(`${least} to ${most} characters`)
    else if (most !== undefined) rules.push(`at most ${most.toLocaleString("en")} characters`)
    if (schema.minimum !== undefined) rules.push(`at least ${schema.minimum}`)
    if (schema.maximum !== undefined) rules.push(`at most ${schema.maximum}`)
    if (schema.default !== undefined && schema.default !== null) rules.push(`default <code>${escape(schema.default)}</code>`)
    return rules
}
