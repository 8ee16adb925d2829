// Administrator operations, which an access key of the app `tracking` signs.
import { apps, pool, request } from "./cognito.mjs"
import { signature } from "./exchanges.mjs"

/** The app of the key. */
export const ofApp = { ClientId: apps.tracking }

function signedRequest(operation, body) {
    const { headers, ...rest } = request(operation, { UserPoolId: pool, ...body })
    return { ...rest, headers: { ...headers, authorization: signature } }
}

/** Records a signed call; resolves with the answer's body. */
export const signedCall = (run, about, operation, body) => run.exchange(about, signedRequest(operation, body))

/** Makes a signed call that is not recorded. */
export const prepareSigned = (run, operation, body) => run.prepare(signedRequest(operation, body))

/** The refusals of an operation about one user. */
export async function refused(run, operation, more = {}) {
    const Username = run.address("nobody@example.com")
    const unsigned = request(operation, { UserPoolId: pool, Username, ...more })
    await run.exchange("The signature is missing.", unsigned)
    await signedCall(run, "An unknown user.", operation, { Username, ...more })
    await signedCall(run, "The user is missing.", operation, more)
    await signedCall(run, "Another pool.", operation, { UserPoolId: "eu-central-1_Nobody", Username, ...more })
}
