// The demand for a step-up in `WWW-Authenticate` (RFC 9470), by the grammar of RFC 9110.
import assert from "node:assert/strict"
import { test } from "node:test"
import { stepUpDemand } from "../dist/index.js"

const error = 'error="insufficient_user_authentication"'
const demands = [
    // RFC 9470 section 3.
    [
        `Bearer ${error}, error_description="A different authentication level is required", acr_values="myACR"`,
        { acrValues: ["myACR"] }
    ],
    [
        `Bearer ${error}, error_description="More recent authentication is required", max_age="5"`,
        { acrValues: [], maxAge: 5 }
    ],
    [`DPoP algs="ES256", ${error}, acr_values="2  3", max_age=0`, { acrValues: ["2", "3"], maxAge: 0 }],
    ["bearer ERROR=insufficient_user_authentication, ACR_VALUES=2", { acrValues: ["2"] }],
    [`Bearer realm="a, DPoP \\"x\\" \\\\", ${error}`, { acrValues: [] }],
    [`Bearer realm = "a" ,, ${error}\t, acr_values = "\\2"`, { acrValues: ["2"] }],
    [`Negotiate, Basic realm="a", Digest abc==, Bearer ${error}, acr_values="2", Basic x=1`, { acrValues: ["2"] }],
    [`Bearer error="invalid_token", DPoP ${error}, max_age="60"`, { acrValues: [], maxAge: 60 }]
]
for (const [header, demand] of demands) {
    test(`a demand: ${header}`, () => assert.deepEqual(stepUpDemand(header), demand))
}

const none = [
    undefined, null, "", ",", " ", "Bearer", `Basic ${error}`, 'Bearer error="invalid_token"', "Bearer abc==",
    'Bearer realm="error=insufficient_user_authentication"',
    // Broken.
    error, "=", '"', `Bearer ${error}, realm="a`, `Bearer ${error}, realm="a\\"`, `Bearer ${error} acr_values="2"`,
    `Bearer ${error}, ${error}`, `Bearer ${error}, realm=`, `Bearer ${error}, realm="a"b`, `Bearer ${error}, =x`,
    `Bearer ${error}, realm="a\u0000"`, `Bearer ${error}, réalm="a"`, `Basic abc=, realm="a", Bearer ${error}`,
    ...["-1", "1.5", "", "a", "5 ", "99999999999999999999"].map(age => `Bearer ${error}, max_age="${age}"`)
]
for (const header of none) {
    test(`no demand: ${JSON.stringify(header)}`, () => assert.equal(stepUpDemand(header), undefined))
}

test("a long header is read in a moment", () => {
    for (const text of ['Bearer a="'.repeat(20_000), "a,".repeat(50_000), `Bearer a="${"\\".repeat(100_001)}`]) {
        assert.equal(stepUpDemand(text), undefined)
    }
})
