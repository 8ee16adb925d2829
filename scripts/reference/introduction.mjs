// The first page: what every call has in common.
import { coloured, escape, pretty } from "./text.mjs"

export function introduction(document, parts) {
    const { info } = document.openAPI
    const cards = parts.map(part => `<a class="card" href="${part.file}"><strong>${escape(part.title)}</strong><span>${escape(part.lead)}</span><small>${part.calls.length} ${part.file === "pages.html" ? "addresses" : "calls"}</small></a>`)
    const credential = { provider: "password", client_id: "app", credential: { username: "ann@example.com", password: "correct horse battery" } }
    const first = `curl https://login.example.com/v1/sign-in \\\n  --json '${pretty(credential, 50)}'`
    const problem = pretty(document.openAPI.components.examples.invalid_request.value)
    return `<header class="lead"><h1>API reference</h1><p>${escape(info.summary)}</p></header>
${article("first-call", "The first call", `<p>Post any credential, get a session. With <code>make run</code> the server is <code>http://localhost:8080</code>; in production it is your own <code>PUBLIC_URL</code>, such as <code>https://login.example.com</code>.</p><p>The answer is a session, or the next step of the sign-in. One loop suffices: show the step, post the user's answer, until <code>status</code> is <code>signed_in</code>.</p>`, [["curl", first]])}
${article("authorization", "Authorization", "<p>Most calls need the access token of a session: <code>Authorization: Bearer</code>. It works for minutes, and <a href=\"sign-in.html#refreshSession\">a refresh</a> gets the next one. The calls of <a href=\"administration.html\">administration</a> need a session of an administration client, with a second factor.</p><p>A website on the gateway's own site may use its session cookie in place of tokens.</p>", [["curl", 'curl https://login.example.com/v1/account \\\n  -H "Authorization: Bearer $TOKEN"']])}
${article("bodies", "Bodies", "<p>JSON in and out: UTF-8, names with underscores, times in UTC as <code>2026-11-21T13:10:32Z</code>, ids as UUIDs. A request with an unknown property is refused, because a misspelt one would count as absent. A body has at most 65,536 bytes.</p><p>Ignore properties that you do not know in an answer: later versions add some.</p>", [])}
${article("errors", "Errors", "<p>A refusal is a problem document (RFC 9457). Branch on <code>code</code>, which never changes its meaning: <a href=\"errors.html\">all codes</a>. <code>type</code> leads to a page about it. <code>errors</code> names the wrong properties.</p><p>After 429 and 503, wait for <code>retry_after</code> seconds. Every answer has <code>X-Request-Id</code>: quote it, because log lines and audit rows have it too.</p>", [["json", problem]])}
${article("paging", "Lists", "<p>Long lists come in pages. Send <code>next_cursor</code> of a page as <code>cursor</code> of the next request; null ends the list. <code>limit</code> is the length of a page.</p>", [["curl", 'curl "https://login.example.com/v1/account/events?limit=50&cursor=4711" \\\n  -H "Authorization: Bearer $TOKEN"']])}
${article("libraries", "Client libraries", "<p>The libraries for Swift and TypeScript keep the session, refresh it and take the user through the steps. The samples here use them where they have a method, else what the platform brings.</p><p>Apps of Amazon Cognito and of Microsoft's native authentication keep their own SDKs: the gateway speaks both protocols, which their vendors describe.</p>", [["swift", 'let client = GatewayClient(url: gateway, clientID: "app")'], ["typescript", 'const client = new GatewayClient({ url: "https://login.example.com", clientId: "app" })']])}
<section class="cards" aria-label="Parts">${cards.join("")}</section>`
}

function article(id, title, html, code) {
    const blocks = code.map(([language, text]) => `<pre tabindex="0"><code>${coloured(text, language)}</code></pre>`)
    const samples = code.length === 0 ? "" : `<div class="samples"><div class="sample"><div class="code">${blocks.join("")}</div></div></div>`
    return `<article class="call" id="${id}"><div class="prose"><h2><a href="#${id}">${title}</a></h2>${html}</div>${samples}</article>`
}
