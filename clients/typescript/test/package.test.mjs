// What a registry would get: `npm pack`, installed in a project without a network, compiled and run there.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { after, test } from "node:test"

const folder = fileURLToPath(new URL("../", import.meta.url))
const app = mkdtempSync(join(tmpdir(), "package-"))
after(() => rmSync(app, { recursive: true }))

function run(program, ...words) {
    const env = { ...process.env, npm_config_cache: join(app, "cache"), npm_config_update_notifier: "false" }
    try {
        return execFileSync(program, words, { cwd: app, encoding: "utf8", env })
    } catch (error) {
        assert.fail(`${program} ${words.join(" ")}\n${error.stdout}\n${error.stderr}`)
    }
}

writeFileSync(join(app, "package.json"), '{ "name": "app", "type": "module", "private": true }')
// The library is built already; its scripts would build it under the feet of other tests.
const [packed] = JSON.parse(run("npm", "pack", folder, "--json", "--ignore-scripts", "--pack-destination", app))
run("npm", "install", "--offline", "--no-audit", "--no-fund", join(app, packed.filename))
const installed = join(app, "node_modules/@login-gateway/client")
const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))

test("it has the compiled library and its README, and nothing else", () => {
    const others = packed.files.map(file => file.path).filter(path => !/^dist\/.*\.(js|d\.ts)$/.test(path))
    assert.deepEqual(others.sort(), ["README.md", "package.json"])
})

test("its manifest names files that are there, a licence and no dependency", () => {
    const targets = [
        ...Object.values(manifest.exports).flatMap(target => Object.values(target)), manifest.types,
        ...Object.values(manifest.typesVersions["*"]).flat(), ...manifest.sideEffects
    ]
    assert.deepEqual(targets.filter(target => !existsSync(join(installed, target))), [])
    assert.ok(manifest.license)
    assert.equal(manifest.dependencies ?? manifest.peerDependencies, undefined)
})

test("a bundler may drop every module but those that define the element", () => {
    const definers = packed.files.map(file => `./${file.path}`).filter(path =>
        path.endsWith(".js") && readFileSync(join(installed, path), "utf8").includes("customElements.define("))
    assert.deepEqual(definers.sort(), [...manifest.sideEffects].sort())
})

const program = `
import { by, type Session } from "@login-gateway/client"
import { GatewaySignIn } from "@login-gateway/client/element"
import { FakeGateway, reply } from "@login-gateway/client/testing"

const gateway = new FakeGateway(reply.totpCode(), reply.wrongCode(4), reply.signedIn())
const asked = await gateway.client().signIn(by.password("ann@example.com", "any"))
if (asked.status !== "next" || asked.step.type !== "confirm_sign_in_with_totp_code") throw new Error(asked.status)
const code: string = await asked.step.answer({ code: "000000" }).then(() => "none", error => error.code)
const result = await asked.step.answer({ code: "123456" })
const session: Session | undefined = result.status === "signedIn" ? result.session : undefined
// @ts-expect-error A number is no code.
reply.wrongCode("4")
console.log(code, session?.id, typeof GatewaySignIn)
`

test("a program in TypeScript compiles against it, and runs", () => {
    writeFileSync(join(app, "app.mts"), program)
    writeFileSync(join(app, "app.ts"), program)
    const strict = ["--strict", "--target", "ES2022", "--lib", "ES2022,DOM,DOM.Iterable"]
    run("tsc", ...strict, "--noEmit", "--module", "ES2022", "--moduleResolution", "node", "app.ts")
    run("tsc", ...strict, "--module", "Node16", "--moduleResolution", "Node16", "app.mts")
    assert.equal(
        run(process.execPath, "app.mjs"), "code_wrong 00000000-0000-7000-8000-000000000002 function\n")
})
