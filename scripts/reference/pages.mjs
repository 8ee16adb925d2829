// The pages of the reference: the introduction, one for each part, and the error codes.
import { callHTML } from "./call.mjs"
import { frame } from "./frame.mjs"
import { fileOf, parts, sections } from "./groups.mjs"
import { introduction } from "./introduction.mjs"
import { Schemas } from "./schema.mjs"
import { coloured, escape, pretty, prose } from "./text.mjs"

/** The files of the pages with their HTML. */
export function pages(document) {
    const own = parts.map(part => {
        const calls = document.calls.filter(call => fileOf(call) === part.file)
        const objects = new Schemas(document, calls)
        return { ...part, calls, sections: sections(calls), objects, objectNames: [...objects.shared].sort() }
    })
    const all = [
        ["index.html", "Introduction", introduction(document, own)],
        ...own.map(part => [part.file, part.title, partHTML(part, document)]),
        ["errors.html", "Error codes", errorsHTML(document)]
    ]
    return all.map(([file, title, html]) => [file, frame({ file, title, html, parts: own, document })])
}

function partHTML(part, document) {
    const schemas = part.objects
    const head = `<header class="lead"><h1>${escape(part.title)}</h1><p>${escape(part.lead)}</p></header>`
    const body = part.sections.map(({ heading, id, calls }) => {
        const html = calls.map(call => callHTML(call, document, schemas)).join("")
        return `<section class="group" aria-labelledby="${id}"><h2 id="${id}">${escape(heading)}</h2>${html}</section>`
    })
    return head + body.join("") + objectsHTML(schemas)
}

function objectsHTML(schemas) {
    const objects = schemas.objects().map(({ name, html }) =>
        `<article class="call" id="object-${name}"><div class="prose"><h3><a href="#object-${name}">${name}</a></h3>${html}</div></article>`)
    if (objects.length === 0) return ""
    return `<section class="group" aria-labelledby="group-objects"><h2 id="group-objects">Objects</h2>${objects.join("")}</section>`
}

function errorsHTML(document) {
    const lead = "Every refusal has a stable code. Branch on it, never on texts. Most are problem documents (RFC 9457); OAuth's calls have OAuth's form."
    const rows = [...document.errors].map(([code, { status, cause, remedy }]) => {
        const example = document.openAPI.components.examples[code]?.value
        const sample = example === undefined ? ""
            : `<div class="samples"><div class="sample"><pre tabindex="0"><code>${coloured(pretty(example), "json")}</code></pre></div></div>`
        return `<article class="call error" id="${code}"><div class="prose"><h2><a href="#${code}">${code}</a> <span class="status">${status}</span></h2>`
            + `<p>${prose(cause, document)}</p><p class="remedy"><strong>Do:</strong> ${prose(remedy, document)}</p></div>${sample}</article>`
    })
    return `<header class="lead"><h1>Error codes</h1><p>${lead}</p></header>${rows.join("")}`
}
