// Records the transcripts against a running gateway with the provider simulator, or compares them with it (--check).
//
//     node Tests/Transcripts/record.mjs [--gateway http://localhost:8080] [--simulator http://localhost:8081]
//         [--mail var/mail] [--only NAME] [--check]
import { readFile, writeFile } from "node:fs/promises"
import { isDeepStrictEqual, parseArgs } from "node:util"
import { scenarios } from "./recorder/scenarios.mjs"
import { Servers } from "./recorder/server.mjs"
import { Transcript } from "./recorder/transcript.mjs"

const { values } = parseArgs({
    options: {
        gateway: { type: "string", default: "http://localhost:8080" },
        simulator: { type: "string", default: "http://localhost:8081" },
        mail: { type: "string", default: "var/mail" },
        check: { type: "boolean", default: false },
        only: { type: "string" }
    }
})
const servers = new Servers(values)

/** Records one scenario; with --check says whether the file has the same. */
async function record(name, { about, record }) {
    const transcript = new Transcript(servers, about)
    await record(transcript)
    const file = new URL(`${name}.json`, import.meta.url)
    const recorded = transcript.document
    if (!values.check) return await writeFile(file, JSON.stringify(recorded, null, 2) + "\n")
    const kept = JSON.parse(await readFile(file, "utf8"))
    if (isDeepStrictEqual(kept, recorded)) return
    console.error(`${name}.json differs from the server; it would now be:\n${JSON.stringify(recorded, null, 2)}`)
    process.exitCode = 1
}

for (const [name, scenario] of Object.entries(scenarios)) {
    if (values.only !== undefined && values.only !== name) continue
    await record(name, scenario).catch(error => {
        console.error(`${name}: ${error.stack}`)
        process.exitCode = 1
    })
}
