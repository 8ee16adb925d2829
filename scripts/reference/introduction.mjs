// The first page: what every call has in common.
import { coloured, escape, h, pre, pretty } from "./text.mjs"

const server = "https://login.example.com"

export function introduction(document, parts) {
    const { info, components } = document.openAPI
    const title = h("h1", {}, "API reference") + h("p", {}, escape(info.summary))
    const articles = texts(pretty(components.examples.invalid_request.value)).map(article)
    const cards = h("section", { class: "cards", "aria-label": "Parts" }, parts.map(card))
    return h("header", { class: "lead" }, title) + articles.join("") + cards
}

function card(part) {
    const count = `${part.calls.length} ${part.file === "pages.html" ? "addresses" : "calls"}`
    const words = [h("strong", {}, escape(part.title)), h("span", {}, escape(part.lead)), h("small", {}, count)]
    return h("a", { class: "card", href: part.file }, words)
}

function article({ id, title, words, code = [] }) {
    const blocks = code.map(([language, text]) => pre(coloured(text, language)))
    const sample = h("div", { class: "sample" }, h("div", { class: "code" }, blocks))
    const prose = h("div", { class: "prose" }, h("h2", {}, h("a", { href: `#${id}` }, title)),
        words.map(text => h("p", {}, text)))
    return h("article", { class: "call", id }, prose, code.length === 0 ? "" : h("div", { class: "samples" }, sample))
}

const credential = { username: "ann@example.com", password: "correct horse battery" }
const firstBody = pretty({ provider: "password", client_id: "app", credential }, 50)
const token = '-H "Authorization: Bearer $TOKEN"'

const texts = problem => [
    {
        id: "first-call", title: "The first call",
        words: [
            `Post any credential, get a session. With <code>make run</code> the server is
            <code>http://localhost:8080</code>; in production it is your own <code>PUBLIC_URL</code>, such as
            <code>${server}</code>.`,
            `The answer is a session, or the next step of the sign-in. One loop suffices: show the step, post the
            user's answer, until <code>status</code> is <code>signed_in</code>.`
        ],
        code: [["curl", `curl ${server}/v1/sign-in \\\n  --json '${firstBody}'`]]
    },
    {
        id: "authorization", title: "Authorization",
        words: [
            `Most calls need the access token of a session: <code>Authorization: Bearer</code>. It works for minutes,
            and <a href="sign-in.html#refreshSession">a refresh</a> gets the next one. The calls of
            <a href="administration.html">administration</a> need a session of an administration client, with a
            second factor. Back ends send an access key instead: <code>Bearer ak_…</code>.`,
            "A website on the gateway's own site may use its session cookie in place of tokens."
        ],
        code: [["curl", `curl ${server}/v1/account \\\n  ${token}`]]
    },
    {
        id: "bodies", title: "Bodies",
        words: [
            `JSON in and out: UTF-8, names with underscores, times in UTC as <code>2026-11-21T13:10:32Z</code>, ids as
            UUIDs. A request with an unknown property is refused, because a misspelt one would count as absent. A body
            has at most 65,536 bytes.`,
            "Ignore properties that you do not know in an answer: later versions add some.",
            `<code>DELETE</code> removes what the path names. In administration it has a JSON body with the reason.`
        ]
    },
    {
        id: "errors", title: "Errors",
        words: [
            `A refusal is a problem document (RFC 9457). Branch on <code>code</code>, which never changes its meaning:
            <a href="errors.html">all codes</a>. <code>type</code> leads to a page about it. <code>errors</code> names
            the wrong properties.`,
            `After 429 and 503, wait for <code>retry_after</code> seconds. Every answer has <code>X-Request-Id</code>:
            quote it, because log lines and audit rows have it too.`
        ],
        code: [["json", problem]]
    },
    {
        id: "lists", title: "Lists",
        words: [
            `Long lists come in pages. Send <code>next_cursor</code> of a page as <code>cursor</code> of the next
            request; null ends the list. <code>limit</code> is the length of a page.`
        ],
        code: [["curl", `curl "${server}/v1/account/events?limit=50&cursor=4711" \\\n  ${token}`]]
    },
    {
        id: "libraries", title: "Client libraries",
        words: [
            `The libraries for Swift and TypeScript keep the session, refresh it and take the user through the steps.
            The samples here use them where they have a method, else what the platform brings.`,
            `Apps of Amazon Cognito and of Microsoft's native authentication keep their own SDKs: the gateway speaks
            both protocols, which their vendors describe.`
        ],
        code: [
            ["swift", 'let client = GatewayClient(url: gateway, clientID: "app")'],
            ["typescript", `const client = new GatewayClient({\n  url: "${server}", clientId: "app"\n})`]
        ]
    }
]
