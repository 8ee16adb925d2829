// Records the transcripts of the doors for Cognito's clients and for native authentication, or compares them (--check).
//
//     node Tests/Transcripts/record-doors.mjs --gateway http://localhost:8080 --simulator http://localhost:8081
//         --mail var/mail --public-url http://localhost:8080 --secret SECRET
//         --access-key ID:SECRET [--only NAME] [--check]
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { isDeepStrictEqual, parseArgs } from "node:util"
import { doors } from "./recorder/doors/operations.mjs"
import { Exchanges } from "./recorder/doors/exchanges.mjs"
import { Servers } from "./recorder/server.mjs"

const { values } = parseArgs({
    options: {
        gateway: { type: "string", default: "http://localhost:8080" },
        simulator: { type: "string", default: "http://localhost:8081" },
        mail: { type: "string", default: "var/mail" },
        "public-url": { type: "string", default: "http://localhost:8080" },
        secret: { type: "string" },
        "access-key": { type: "string" },
        check: { type: "boolean", default: false },
        only: { type: "string" }
    }
})
const [id, secret] = values["access-key"].split(":")
const servers = Object.assign(new Servers(values), {
    publicURL: values["public-url"], secret: values.secret, accessKey: { id, secret }
})

function fail(message) {
    console.error(message)
    process.exitCode = 1
}

/** The first place at which two transcripts differ, in words. */
function difference(kept, recorded, place = "") {
    const isObject = value => value !== null && typeof value === "object"
    if (!isObject(kept) || !isObject(recorded)) return `${place}: ${JSON.stringify(kept)} is now ${JSON.stringify(recorded)}`
    const names = new Set([...Object.keys(kept), ...Object.keys(recorded)])
    const name = [...names].find(name => !isDeepStrictEqual(kept[name], recorded[name]))
    return difference(kept[name], recorded[name], `${place}/${name}`)
}

/** Records one operation; with --check says whether the file has the same. */
async function record(folder, name, { about, record }) {
    const exchanges = new Exchanges(servers, about)
    await record(exchanges)
    const file = new URL(`${folder}/${name}.json`, import.meta.url)
    const recorded = exchanges.document
    if (!values.check) return await writeFile(file, JSON.stringify(recorded, null, 2) + "\n")
    const kept = JSON.parse(await readFile(file, "utf8"))
    if (!isDeepStrictEqual(kept, recorded)) fail(`${folder}/${name}.json differs from the server at ${difference(kept, recorded)}`)
}

/** Records the operations of a group one after another. */
async function recordGroup(folder, group) {
    for (const [name, operation] of Object.entries(group)) {
        if (values.only !== undefined && values.only !== name) continue
        await record(folder, name, operation).catch(error => fail(`${folder}/${name}: ${error.stack}`))
    }
}

/** Records a folder, and refuses files that no operation records. */
async function recordFolder([folder, groups]) {
    const place = new URL(`${folder}/`, import.meta.url)
    await mkdir(place, { recursive: true })
    await Promise.all(groups.map(group => recordGroup(folder, group)))
    const names = groups.flatMap(Object.keys).map(name => `${name}.json`)
    const files = (await readdir(place)).filter(file => !names.includes(file))
    if (files.length > 0) fail(`No operation records ${folder}/${files.join(", ")}.`)
}

await Promise.all(Object.entries(doors).map(recordFolder))
