// The operations of each door, by folder and name of their file.
import { administration } from "./cognito-admin.mjs"
import { administeredFactors } from "./cognito-admin-factors.mjs"
import { administeredSignIns } from "./cognito-admin-sign-in.mjs"
import { devices } from "./cognito-devices.mjs"
import { factors } from "./cognito-factors.mjs"
import { hosted } from "./cognito-hosted.mjs"
import { initiates } from "./cognito-initiate.mjs"
import { passkeys } from "./cognito-passkeys.mjs"
import { profiles } from "./cognito-profile.mjs"
import { responses } from "./cognito-respond.mjs"
import { sessions } from "./cognito-sessions.mjs"
import { signUps as cognitoSignUps } from "./cognito-sign-up.mjs"
import { refreshes } from "./cognito-tokens.mjs"
import { registrations } from "./native-registration.mjs"
import { signIns } from "./native-sign-in.mjs"
import { signUps as nativeSignUps } from "./native-sign-up.mjs"
import { journeys } from "./native-v2-journeys.mjs"
import { methods } from "./native-v2-methods.mjs"

/** The groups; all are recorded at the same time. */
export const doors = {
    cognito: [
        initiates, responses, cognitoSignUps, profiles, refreshes, sessions, factors, devices, passkeys, hosted,
        administration, administeredFactors, administeredSignIns
    ],
    "native-auth": [signIns, nativeSignUps, registrations, journeys, methods]
}
