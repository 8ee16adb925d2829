// One call: its words on the left, its code on the right.
import { samples } from "./samples.mjs"
import { isGood } from "./schema.mjs"
import { coloured, escape, h, pre, pretty, prose } from "./text.mjs"

const names = {
    200: "OK", 201: "Created", 202: "Accepted", 204: "No content", 303: "See other", 400: "Bad request",
    401: "Unauthorized", 403: "Forbidden", 404: "Not found", 409: "Conflict", 415: "Unsupported media type",
    422: "Unprocessable", 429: "Too many requests", 500: "Server error", 501: "Not implemented", 503: "Unavailable"
}

export function callHTML(call, document, schemas) {
    const { operation, id } = call
    const words = [
        h("h3", {}, h("a", { href: `#${id}` }, escape(operation.summary))),
        h("p", { class: "address" }, method(call), " ", h("code", {}, escape(call.path))),
        operation.description ? h("p", {}, prose(operation.description, document)) : "",
        credentials(operation), parameters(call, schemas), body(call, schemas), answers(call, document, schemas),
        refusals(call)
    ]
    const code = call.tag === "pages" || call.isPage
        ? "" : h("div", { class: "samples" }, requestHTML(call, document), answerHTML(call))
    return h("article", { class: "call", id }, h("div", { class: "prose" }, words), code)
}

export const method = (call, name = call.method) => h("span", { class: `method ${call.method.toLowerCase()}` }, name)

/** What the caller proves itself with. */
function credentials(operation) {
    const kinds = (operation.security ?? []).map(one => Object.keys(one)[0])
    const words = {
        bearer: "an access token in <code>Authorization: Bearer</code>", registration: "the token of the registration",
        client_basic: "the app's id and secret by HTTP Basic", client_form: "the app's id and secret in the form"
    }
    const named = kinds.filter(Boolean).map(kind => words[kind])
    if (named.length === 0) return ""
    const verb = h("strong", {}, kinds.includes(undefined) ? "May have" : "Needs")
    return h("p", { class: "needs" }, verb, ` ${named.join(", or ")}.`)
}

function parameters(call, schemas) {
    const places = { path: "In the path", query: "In the query", header: "In the header" }
    const shown = call.parameters.filter(one => one.name !== "X-Request-Id")
    return Object.entries(places).map(([place, title]) => {
        const items = shown.filter(one => one.in === place)
            .map(one => schemas.part(one.name, one, one.required ?? false))
        return items.length === 0 ? "" : h("h4", {}, title) + h("ul", { class: "parts" }, items)
    }).join("")
}

const mediaType = type => (type === undefined ? "" : ` ${h("span", { class: "type" }, escape(type))}`)

function body(call, schemas) {
    if (call.body === undefined) return ""
    return h("h4", {}, "Body", mediaType(call.body.type)) + schemas.html(call.body.schema)
}

function answers(call, document, schemas) {
    return call.answers.filter(answer => isGood(answer) || answer.status === "303").map(answer => {
        const status = h("span", { class: "status" }, answer.status)
        const isJSON = answer.type === "application/json"
        const parts = isJSON ? h("div", { class: "given" }, schemas.html(answer.schema)) : ""
        const title = h("h4", {}, "Answer ", status, mediaType(answer.type))
        return title + h("p", {}, prose(answer.description, document)) + parts
    }).join("")
}

function refusals(call) {
    if (call.codes.length === 0) return ""
    const links = call.codes.map(code => h("li", {}, h("a", { href: `errors.html#${code}` }, h("code", {}, code))))
    const title = h("summary", {}, "Refusals ", h("span", { class: "count" }, `${call.codes.length}`))
    return h("details", { class: "refusals" }, title, h("ul", {}, links))
}

// MARK: Code

function requestHTML(call, document) {
    const all = samples(call, document)
    const buttons = all.map(({ language, title }) => h("button", { type: "button", "data-language": language }, title))
    const blocks = all.map(({ language, codes }) => {
        const panels = codes.map(({ code }, index) => panel(coloured(code, language), index))
        const select = choice(codes.map(({ name }) => words(name)), "Example")
        return h("div", { class: "code", "data-language": language }, select, panels)
    })
    const languages = h("div", { class: "languages", role: "group", "aria-label": "Language" }, buttons)
    return h("div", { class: "sample request" }, h("div", { class: "bar" }, languages, copyButton), blocks)
}

const copyButton = h("button", { type: "button", class: "copy", "aria-label": "Copy the code" }, "Copy")

/** One of several blocks of code; the first is shown. */
const panel = (html, index) => pre(html, { "data-panel": `${index}`, hidden: index > 0 })

/** Each success with each of its examples, and the first refusal of each status. */
function answerHTML(call) {
    const shown = call.answers.filter(answer => answer.status !== "303").flatMap(answer => {
        const examples = answer.examples.length > 0 ? answer.examples : [{ name: "", value: undefined }]
        return (isGood(answer) ? examples : examples.slice(0, 1)).map(example => ({ answer, example }))
    })
    const titles = shown.map(({ answer, example }) =>
        `${answer.status} ${example.name ? words(example.name) : names[answer.status] ?? ""}`)
    const panels = shown.map(({ answer, example }, index) => panel(exampleHTML(answer, example), index))
    const title = choice(titles, "Answer") || h("span", {}, escape(titles[0] ?? ""))
    const bar = h("div", { class: "bar" }, title, copyButton)
    return h("div", { class: "sample answer" }, h("div", { class: "code" }, bar, panels))
}

function exampleHTML(answer, example) {
    if (example.value === undefined) return h("span", { class: "c-comment" }, escape(answer.type ?? "No body"))
    return typeof example.value === "string" ? escape(example.value) : coloured(pretty(example.value), "json")
}

const words = name => name.replaceAll("_", " ")

function choice(titles, label) {
    if (titles.length < 2) return ""
    const options = titles.map((title, index) => h("option", { value: index }, escape(title)))
    return h("select", { "aria-label": label }, options)
}
