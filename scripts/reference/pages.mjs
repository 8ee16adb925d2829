// The pages of the reference: the introduction, one for each part, and the error codes.
import { callHTML } from "./call.mjs"
import { frame } from "./frame.mjs"
import { fileOf, parts, sections } from "./groups.mjs"
import { introduction } from "./introduction.mjs"
import { Schemas } from "./schema.mjs"
import { coloured, escape, h, pre, pretty, prose } from "./text.mjs"

/** The files of the pages with their HTML. */
export function pages(document) {
    const own = parts.map(part => {
        const calls = document.calls.filter(call => fileOf(call) === part.file)
        return { ...part, calls, sections: sections(calls), schemas: new Schemas(document, calls) }
    })
    const all = [
        ["index.html", "Introduction", introduction(document, own)],
        ...own.map(part => [part.file, part.title, partHTML(part, document)]),
        ["errors.html", "Error codes", errorsHTML(document)]
    ]
    return all.map(([file, title, html]) => [file, frame({ file, title, html, parts: own, document })])
}

const lead = (title, text) => h("header", { class: "lead" }, h("h1", {}, escape(title)), h("p", {}, escape(text)))

function partHTML(part, document) {
    const groups = part.sections.map(({ heading, id, calls }) =>
        group(heading, id, calls.map(call => callHTML(call, document, part.schemas))))
    return lead(part.title, part.lead) + groups.join("") + objectsHTML(part.schemas)
}

const group = (heading, id, articles) =>
    h("section", { class: "group", "aria-labelledby": id }, h("h2", { id }, escape(heading)), articles)

function objectsHTML(schemas) {
    const objects = schemas.objects().map(({ name, isSent, html }) => {
        const title = h("h3", {}, h("a", { href: `#object-${name}` }, name))
        const prose = h("div", { class: isSent ? "prose" : "prose given" }, title, html)
        return h("article", { class: "call", id: `object-${name}` }, prose)
    })
    return objects.length === 0 ? "" : group("Objects", "group-objects", objects)
}

function errorsHTML(document) {
    const text = "Every refusal has a stable code. Branch on it, never on texts. "
        + "Most are problem documents (RFC 9457); OAuth's calls have OAuth's form."
    const codes = [...document.errors].map(([code, { status, cause, remedy }]) => {
        const title = h("h2", {}, h("a", { href: `#${code}` }, code), " ", h("span", { class: "status" }, `${status}`))
        const words = h("p", {}, prose(cause, document))
            + h("p", { class: "remedy" }, "<strong>Do:</strong> ", prose(remedy, document))
        const example = document.openAPI.components.examples[code]?.value
        const sample = example === undefined ? "" : h("div", { class: "samples" },
            h("div", { class: "sample" }, pre(coloured(pretty(example), "json"))))
        return h("article", { class: "call error", id: code }, h("div", { class: "prose" }, title, words), sample)
    })
    return lead("Error codes", text) + codes.join("")
}
