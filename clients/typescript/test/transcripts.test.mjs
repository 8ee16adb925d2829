// The client makes exactly the requests of Tests/Transcripts, and comes to the results that stand there.
import assert from "node:assert/strict"
import { test } from "node:test"
import { names, replay } from "./transcripts.mjs"

for (const name of names) test(`transcript ${name}`, async () => await replay(name, new Line()))

test("there are transcripts", () => assert.ok(names.length >= 10, `${names.length} were found`))

/** The network: compares each request with the next exchange, and gives its answer. */
class Line {
    exchanges = []

    fetch = async (address, init) => {
        const exchange = this.exchanges.shift()
        const { method, headers, body } = init
        const request = { method, path: address.replace("https://login.example.com", ""), headers }
        assert.deepEqual(body === undefined ? request : { ...request, body: JSON.parse(body) }, exchange?.request)
        if (exchange.failure !== undefined) throw new TypeError("The connection was lost.")
        const { response } = exchange
        return new Response(response.body === undefined ? null : JSON.stringify(response.body), response)
    }
}
