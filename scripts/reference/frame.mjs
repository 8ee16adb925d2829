// What every page has: the head, the navigation with the search, and the main column.
import { method } from "./call.mjs"
import { escape, h } from "./text.mjs"

export function frame({ file, title, html, parts, document }) {
    const name = escape(document.openAPI.info.title)
    const links = [
        pageLink("index.html", "Introduction", file), ...parts.map(part => partLinks(part, file)),
        pageLink("errors.html", "Error codes", file)
    ]
    return `<!doctype html>
<html lang="en" data-language="curl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} · ${name} API</title>
<link rel="stylesheet" href="reference.css">
<script src="search.js" defer></script>
<script src="reference.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="index.html">${mark}<span>${name} <small>API</small></span></a>
<button type="button" class="menu" aria-expanded="false" aria-controls="side">Menu</button>
</header>
<aside id="side" class="side">
<div class="search" role="search">
${searchField}
<kbd aria-hidden="true">/</kbd>
<ul id="found" role="listbox" aria-label="Results" hidden></ul>
</div>
<nav aria-label="Reference"><ul>${links.map(link => h("li", {}, link)).join("")}</ul></nav>
</aside>
<main id="main" tabindex="-1">
${html}
<footer><p>
Made from <a href="openapi.yaml">openapi.yaml</a>, also as <a href="openapi.json">openapi.json</a>.
</p></footer>
</main>
</body>
</html>
`
}

const pageLink = (address, title, file) =>
    h("a", { class: "page", href: address, "aria-current": address === file && "page" }, escape(title))

/** A part's calls are listed where its page is shown. */
function partLinks(part, file) {
    const link = pageLink(part.file, part.title, file)
    if (part.file !== file) return link
    const groups = part.sections.map(({ heading, calls }) => listed(heading, calls.map(call =>
        h("a", { href: `#${call.id}` }, method(call, short(call.method)), escape(call.operation.summary)))))
    const objects = part.schemas.names.map(name => h("a", { href: `#object-${name}` }, name))
    if (objects.length > 0) groups.push(listed("Objects", objects))
    return link + h("ul", { class: "calls" }, groups)
}

const listed = (heading, links) => h("li", {},
    h("span", { class: "heading" }, escape(heading)), h("ul", {}, links.map(link => h("li", {}, link))))

const short = method => (method === "DELETE" ? "DEL" : method)

const searchField = h("input", {
    type: "search", placeholder: "Search", "aria-label": "Search calls, properties and codes", autocomplete: "off",
    spellcheck: "false", role: "combobox", "aria-expanded": "false", "aria-controls": "found"
}).replace("</input>", "")

const mark = `<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
<rect width="32" height="32" rx="7" fill="#2456d6"/>
<path d="M8 26V15a8 8 0 0 1 16 0v11h-4V15a4 4 0 0 0-8 0v11z" fill="#fff"/></svg>`
