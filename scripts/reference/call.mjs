// One call: its words on the left, its code on the right.
import { samples } from "./samples.mjs"
import { isGood } from "./schema.mjs"
import { coloured, escape, pretty, prose } from "./text.mjs"

const names = {
    200: "OK", 201: "Created", 202: "Accepted", 204: "No content", 303: "See other", 400: "Bad request",
    401: "Unauthorized", 403: "Forbidden", 404: "Not found", 409: "Conflict", 415: "Unsupported media type",
    422: "Unprocessable", 429: "Too many requests", 500: "Server error", 501: "Not implemented", 503: "Unavailable"
}

export function callHTML(call, document, schemas) {
    const { operation } = call
    const words = [
        `<h3><a href="#${call.id}">${escape(operation.summary)}</a></h3>`,
        `<p class="address"><span class="method ${call.method.toLowerCase()}">${call.method}</span> <code>${escape(call.path)}</code></p>`,
        operation.description ? `<p>${prose(operation.description, document)}</p>` : "",
        credentials(operation), parameters(call, schemas), body(call, schemas), answers(call, document, schemas),
        refusals(call)
    ]
    const code = call.isPage || call.tag === "pages" ? "" : `<div class="samples">${requestHTML(call, document)}${answerHTML(call)}</div>`
    return `<article class="call" id="${call.id}"><div class="prose">${words.join("")}</div>${code}</article>`
}

/** What the caller proves itself with. */
function credentials(operation) {
    const kinds = (operation.security ?? []).map(one => Object.keys(one)[0])
    const words = {
        bearer: "an access token in <code>Authorization: Bearer</code>", registration: "the token of the registration",
        client_basic: "the app's id and secret by HTTP Basic", client_form: "the app's id and secret in the form"
    }
    const named = kinds.filter(Boolean).map(kind => words[kind])
    if (named.length === 0) return ""
    return `<p class="needs"><strong>${kinds.includes(undefined) ? "May have" : "Needs"}</strong> ${named.join(", or ")}.</p>`
}

function parameters(call, schemas) {
    const places = { path: "In the path", query: "In the query", header: "In the header" }
    const shown = call.parameters.filter(one => one.name !== "X-Request-Id")
    return Object.entries(places).map(([place, title]) => {
        const items = shown.filter(one => one.in === place).map(one => schemas.part(one.name, one, one.required ?? false))
        return items.length === 0 ? "" : `<h4>${title}</h4><ul class="parts">${items.join("")}</ul>`
    }).join("")
}

function body(call, schemas) {
    if (call.body === undefined) return ""
    return `<h4>Body <span class="type">${escape(call.body.type)}</span></h4>${schemas.html(call.body.schema)}`
}

function answers(call, document, schemas) {
    return call.answers.filter(answer => isGood(answer) || answer.status === "303").map(answer => {
        const type = answer.type === undefined ? "" : ` <span class="type">${escape(answer.type)}</span>`
        const parts = answer.type === "application/json" ? schemas.html(answer.schema) : ""
        return `<h4>Answer <span class="status">${answer.status}</span>${type}</h4><p>${prose(answer.description, document)}</p>${parts}`
    }).join("")
}

function refusals(call) {
    if (call.codes.length === 0) return ""
    const links = call.codes.map(code => `<li><a href="errors.html#${code}"><code>${code}</code></a></li>`).join("")
    return `<details class="refusals"><summary>Refusals <span class="count">${call.codes.length}</span></summary><ul>${links}</ul></details>`
}

// MARK: Code

function requestHTML(call, document) {
    const all = samples(call, document)
    const buttons = all.map(({ language, title }) => `<button type="button" data-language="${language}">${title}</button>`)
    const blocks = all.map(({ language, codes }) => {
        const panels = codes.map(({ code }, index) =>
            `<pre tabindex="0" data-panel="${index}"${index > 0 ? " hidden" : ""}><code>${coloured(code, language)}</code></pre>`)
        return `<div class="code" data-language="${language}">${choice(codes.map(({ name }) => words(name)), "Example")}${panels.join("")}</div>`
    })
    return `<div class="sample request"><div class="bar"><div class="languages" role="group" aria-label="Language">${buttons.join("")}</div>${copyButton}</div>${blocks.join("")}</div>`
}

const copyButton = '<button type="button" class="copy" aria-label="Copy the code">Copy</button>'

/** Each success with each of its examples, and the first refusal of each status. */
function answerHTML(call) {
    const shown = call.answers.filter(answer => answer.status !== "303").flatMap(answer => {
        const examples = answer.examples.length > 0 ? answer.examples : [{ name: "", value: undefined }]
        return (isGood(answer) ? examples : examples.slice(0, 1)).map(example => ({ answer, example }))
    })
    const titles = shown.map(({ answer, example }) =>
        `${answer.status} ${example.name ? words(example.name) : names[answer.status] ?? ""}`)
    const panels = shown.map(({ answer, example }, index) =>
        `<pre tabindex="0" data-panel="${index}"${index > 0 ? " hidden" : ""}><code>${exampleHTML(answer, example)}</code></pre>`)
    return `<div class="sample answer"><div class="code"><div class="bar">${choice(titles, "Answer") || `<span>${escape(titles[0] ?? "")}</span>`}${copyButton}</div>${panels.join("")}</div></div>`
}

function exampleHTML(answer, example) {
    if (example.value === undefined) return `<span class="c-comment">${answer.type === undefined ? "No body" : escape(answer.type)}</span>`
    return typeof example.value === "string" ? escape(example.value) : coloured(pretty(example.value), "json")
}

const words = name => name.replaceAll("_", " ")

function choice(titles, label) {
    if (titles.length < 2) return ""
    const options = titles.map((title, index) => `<option value="${index}">${escape(title)}</option>`)
    return `<select aria-label="${label}">${options.join("")}</select>`
}
