// What every page has: the head, the navigation with the search, and the main column.
import { escape } from "./text.mjs"

export function frame({ file, title, html, parts, document }) {
    const links = parts.map(part => partLinks(part, file)).join("")
    const plain = (address, words) =>
        `<li><a class="page" href="${address}"${address === file ? ' aria-current="page"' : ""}>${words}</a></li>`
    return `<!doctype html>
<html lang="en" data-language="curl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} · ${escape(document.openAPI.info.title)} API</title>
<link rel="stylesheet" href="reference.css">
<script src="search.js" defer></script>
<script src="reference.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="index.html">${mark}<span>${escape(document.openAPI.info.title)} <small>API</small></span></a>
<button type="button" class="menu" aria-expanded="false" aria-controls="side">Menu</button>
</header>
<aside id="side" class="side">
<div class="search" role="search">
<input type="search" placeholder="Search" aria-label="Search calls, properties and codes" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found">
<kbd aria-hidden="true">/</kbd>
<ul id="found" role="listbox" aria-label="Results" hidden></ul>
</div>
<nav aria-label="Reference"><ul>${plain("index.html", "Introduction")}${links}${plain("errors.html", "Error codes")}</ul></nav>
</aside>
<main id="main" tabindex="-1">
${html}
<footer><p>Made from <a href="openapi.yaml">openapi.yaml</a>, also as <a href="openapi.json">openapi.json</a>.</p></footer>
</main>
</body>
</html>
`
}

/** A part's calls are listed where its page is shown. */
function partLinks(part, file) {
    const link = current => `<a class="page" href="${part.file}"${current}>${escape(part.title)}</a>`
    if (part.file !== file) return `<li>${link("")}</li>`
    const groups = part.sections.map(({ heading, calls }) => {
        const items = calls.map(call =>
            `<li><a href="#${call.id}"><span class="method ${call.method.toLowerCase()}">${short(call.method)}</span>${escape(call.operation.summary)}</a></li>`)
        return `<li><span class="heading">${escape(heading)}</span><ul>${items.join("")}</ul></li>`
    })
    const objects = part.objectNames.map(name => `<li><a href="#object-${name}">${name}</a></li>`)
    if (objects.length > 0) groups.push(`<li><span class="heading">Objects</span><ul>${objects.join("")}</ul></li>`)
    return `<li>${link(' aria-current="page"')}<ul class="calls">${groups.join("")}</ul></li>`
}

const short = method => (method === "DELETE" ? "DEL" : method)

const mark = '<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#2456d6"/><path d="M8 26V15a8 8 0 0 1 16 0v11h-4V15a4 4 0 0 0-8 0v11z" fill="#fff"/></svg>'
