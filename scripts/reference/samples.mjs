// The code of each call: curl, and Swift and TypeScript by the client libraries or by what the platform brings.
import { pretty } from "./text.mjs"

const server = "https://login.example.com"
const libraries = {
    swift: ["ReferenceSamples.swift", "ReferenceSamples+Account.swift"]
        .map(name => `clients/swift/Tests/GatewayClientTests/Guides/${name}`),
    typescript: ["clients/typescript/test/reference-samples.ts"]
}

/** By language and operation: the code that the tests of the libraries compile. */
export async function readLibrarySamples(source, operations) {
    const samples = { swift: new Map(), typescript: new Map() }
    for (const [language, files] of Object.entries(libraries)) {
        for (const file of files) {
            for (const [name, code] of functions(await source(file))) {
                if (!operations.has(name)) throw new Error(`${file}: ${name} is no operation of docs/openapi.yaml.`)
                samples[language].set(name, code)
            }
        }
    }
    return samples
}

/** The bodies of the functions of a file. */
function functions(text) {
    const pattern = /^( *)(?:static func|export async function) (\w+)\([^{]*\{\n([\s\S]*?)^\1\}$/gm
    return [...text.matchAll(pattern)].map(([, indent, name, body]) =>
        [name, body.trimEnd().split("\n").map(line => line.slice(indent.length + 4)).join("\n")])
}

/** The samples of a call: for each language and each example of a body, its code. */
export function samples(call, document) {
    const examples = call.body?.examples.length > 0 ? call.body.examples : [{ name: "", value: undefined }]
    const all = (language, write) => {
        const own = document.samples[language]?.get(call.id)
        if (own !== undefined) return [{ name: "", code: own, library: true }]
        return examples.map(({ name, value }) => ({ name, code: write(call, value) }))
    }
    return [
        { language: "curl", title: "curl", codes: all("curl", curl) },
        { language: "swift", title: "Swift", codes: all("swift", urlSession) },
        { language: "typescript", title: "TypeScript", codes: all("typescript", fetched) }
    ]
}

const examplesOfPaths = [
    [/clients\/\{id\}|register\/\{id\}/, "{id}", "app"], [/messages\/\{id\}/, "{id}", "code-sign-in"],
    [/deliveries\/\{id\}/, "{id}", "msg_5f70bf18a086007016e948b04aed3b82"],
    [/./, "{id}", "01a1fe3a-da0a-7e8d-b31b-94d3827ee9d2"], [/./, "{identity}", "01a1fe3e-5304-762c-a2af-3568697eca23"],
    [/./, "{session}", "01a1fe3e-50c0-7143-8a83-b7cf4d9d8225"], [/./, "{key}", "GWK3JQ2ZP7NXYA4LMBTC"],
    [/./, "{address}", "ann%40example.com"], [/./, "{client}", "app"], [/./, "{provider}", "apple"]
]

/** The address with example values. */
function address(call) {
    const path = examplesOfPaths.reduce((path, [place, name, value]) =>
        place.test(call.path) ? path.replace(name, value) : path, call.path)
    const query = call.parameters.filter(one => one.in === "query" && one.example !== undefined)
        .map(one => `${one.name}=${encodeURIComponent(one.example)}`)
    return server + path + (query.length === 0 ? "" : `?${query.join("&")}`)
}

/** Whether the call needs a token in its head; where it may have one, the samples leave it out. */
const bearer = ({ operation: { security = [] } }) =>
    security.every(one => Object.keys(one).length > 0) && security.some(one => "bearer" in one || "registration" in one)
const isForm = call => call.body?.type === "application/x-www-form-urlencoded"

/** The headers that a call needs, besides the type of its body and the bearer token. */
const headers = call => call.parameters.filter(one => one.in === "header" && one.required)
    .map(one => [one.name, one.name === "Gateway-Signature" ? "t=1785488712,v1=…" : "…"])

function curl(call, body) {
    const lines = [address(call).replace(/^.*[?&].*$/, "'$&'")]
    if (call.method !== (body === undefined ? "GET" : "POST")) lines[0] = `-X ${call.method} ${lines[0]}`
    if (bearer(call)) lines.push('-H "Authorization: Bearer $TOKEN"')
    for (const [name, value] of headers(call)) lines.push(`-H '${name}: ${value}'`)
    if (isForm(call)) {
        for (const [name, value] of Object.entries(body ?? {})) {
            lines.push(`${/^[\w.~-]*$/.test(value) ? "-d" : "--data-urlencode"} '${name}=${value}'`)
        }
    } else if (body !== undefined) lines.push(`--json '${pretty(body, 60).replaceAll("'", "'\\''")}'`)
    return `curl ${lines.join(" \\\n  ")}`
}

const formText = body => new URLSearchParams(body).toString()

function urlSession(call, body) {
    const lines = [`var request = URLRequest(url: URL(string: "${address(call)}")!)`]
    if (call.method !== "GET") lines.push(`request.httpMethod = "${call.method}"`)
    const header = (name, value) => lines.push(`request.setValue(${value}, forHTTPHeaderField: "${name}")`)
    if (bearer(call)) header("Authorization", '"Bearer \\(token)"')
    for (const [name, value] of headers(call)) header(name, `"${value}"`)
    if (body !== undefined) {
        header("Content-Type", `"${call.body.type}"`)
        const text = `#"""\n${pretty(body, 60).replace(/^/gm, "    ")}\n    """#`
        if (isForm(call)) lines.push(`request.httpBody = Data("${formText(body)}".utf8)`)
        else lines.push(`let body = ${text}`, "request.httpBody = Data(body.utf8)")
    }
    lines.push("let (data, response) = try await URLSession.shared.data(for: request)")
    return lines.join("\n")
}

function fetched(call, body) {
    const options = []
    if (call.method !== "GET") options.push(`method: "${call.method}"`)
    const named = headers(call).map(([name, value]) => `"${name.toLowerCase()}": "${value}"`)
    if (bearer(call)) named.unshift("authorization: `Bearer ${token}`")
    if (body !== undefined && !isForm(call)) named.push(`"content-type": "${call.body.type}"`)
    if (named.length > 0) options.push(`headers: { ${named.join(", ")} }`)
    if (body !== undefined) {
        const value = pretty(body, 56, "  ").replace(/"(\w+)":/g, "$1:")
        options.push(`body: ${isForm(call) ? "new URLSearchParams" : "JSON.stringify"}(${value})`)
    }
    const more = options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")}\n}`
    return `const answer = await fetch("${address(call)}"${more})${reading(call)}`
}

/** How the answer is read, by its type. */
function reading(call) {
    const [good] = call.answers.filter(answer => answer.status.startsWith("2") && answer.type !== undefined)
    if (good === undefined) return ""
    return `\nconsole.log(await answer.${good.type === "application/json" ? "json" : "text"}())`
}
