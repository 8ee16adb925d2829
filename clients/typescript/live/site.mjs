// A website for the browser tests: the built library and one page, on PORT, for the gateway at an address.
//
//     node site.mjs PORT GATEWAY
import { createServer } from "node:http"
import { readFile } from "node:fs/promises"

const [port, gateway] = process.argv.slice(2)
const types = { html: "text/html", js: "text/javascript" }
// Strict: the library needs neither inline styles nor inline scripts.
const policy = `default-src 'none'; script-src 'self'; connect-src ${gateway}; base-uri 'none'; frame-ancestors 'none'`

/** The file of a path: `/client/…` is the library. */
function fileOf(path) {
    const name = path === "/" ? "/index.html" : path
    if (!/^(\/[a-z][a-z-]*)+\.(html|js)$/.test(name)) return undefined
    const folder = name.startsWith("/client/") ? `../dist/${name.slice(8)}` : `site${name}`
    return new URL(folder, import.meta.url)
}

createServer(async (request, answer) => {
    const path = new URL(request.url, "http://localhost").pathname
    if (path === "/favicon.ico") return answer.writeHead(204).end()
    try {
        const text = await readFile(fileOf(path), "utf8")
        const type = types[path.split(".").pop()] ?? types.html
        answer.writeHead(200, { "content-type": `${type}; charset=utf-8`, "content-security-policy": policy })
        answer.end(text.replaceAll("{gateway}", gateway).replaceAll("{origin}", `http://localhost:${port}`))
    } catch {
        answer.writeHead(404).end()
    }
}).listen(Number(port), "127.0.0.1", () => console.log("listening"))
