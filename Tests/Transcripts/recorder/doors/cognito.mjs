// Calls of Amazon Cognito's API, and the apps that make them.
import { createHmac } from "node:crypto"
import { password } from "../people.mjs"
import { SRPClient } from "./srp.mjs"

export const pool = "eu-central-1_Abc123XYZ"
/** The app client's ids; README.md has the settings of each. */
export const apps = { usual: "4example", demanding: "5example", revealing: "6example", confidential: "7example", tracking: "8example" }

export function request(operation, body) {
    const headers = {
        "content-type": "application/x-amz-json-1.1", "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`
    }
    return { method: "POST", path: "/", headers, body }
}

/** Records a call; resolves with the answer's body. */
export const call = (run, about, operation, body) => run.exchange(about, request(operation, body))

/** Makes a call that is not recorded. */
export const prepare = (run, operation, body) => run.prepare(request(operation, body))

/** `InitiateAuth`. */
export const initiate = (AuthFlow, AuthParameters, more = {}) =>
    ({ AuthFlow, ClientId: apps.usual, AuthParameters, ...more })

export const passwordAuth = (USERNAME, more = {}, PASSWORD = password) =>
    initiate("USER_PASSWORD_AUTH", { USERNAME, PASSWORD }, more)

/** `RespondToAuthChallenge`. */
export const respond = (ChallengeName, Session, ChallengeResponses, more = {}) =>
    ({ ChallengeName, ClientId: apps.usual, ...(Session && { Session }), ChallengeResponses, ...more })

/** A sign-in that is not recorded; resolves with `AuthenticationResult`. */
export async function tokens(run, username, more) {
    const answer = await prepare(run, "InitiateAuth", passwordAuth(username, more))
    if (answer.AuthenticationResult === undefined) throw new Error(`No tokens: ${JSON.stringify(answer)}`)
    return answer.AuthenticationResult
}

/** An account that is signed in; resolves with its address and the access token. */
export async function signedIn(run, standIn) {
    const email = await run.person(standIn)
    const { AccessToken, RefreshToken } = await tokens(run, email)
    return { email, AccessToken, RefreshToken }
}

/** A beginning by SRP; `learn` gives the client's value its stand-in. */
export function srp(run, username, more) {
    const client = new SRPClient()
    run.learn({ SRP_A: client.publicValue })
    return { client, body: initiate("USER_SRP_AUTH", { USERNAME: username, SRP_A: client.publicValue }, more) }
}

/** The responses to `PASSWORD_VERIFIER`. */
export function proof(run, client, asked, word = password) {
    const responses = client.responses(pool, asked.ChallengeParameters, word)
    run.learn(responses)
    return responses
}

export function secretHash(run, username, clientID = apps.confidential) {
    const hash = createHmac("sha256", run.servers.secret).update(username + clientID).digest("base64")
    run.learn({ SECRET_HASH: hash })
    return hash
}

/** The refusals of an operation by access token. */
export async function refusedTokens(run, operation, more = {}) {
    await call(run, "The access token is missing.", operation, more)
    await call(run, "The access token is none of the gateway's.", operation, { AccessToken: "unknown", ...more })
    const { AccessToken, RefreshToken } = await signedIn(run, "amy@example.com")
    await prepare(run, "RevokeToken", { ClientId: apps.usual, Token: RefreshToken })
    await call(run, "The session of the access token was ended.", operation, { AccessToken, ...more })
}
