/** Defines `<gateway-sign-in>` where there are custom elements. */
import { GatewaySignIn } from "./element/sign-in-element.js"

if (typeof customElements !== "undefined" && customElements.get("gateway-sign-in") === undefined) {
    customElements.define("gateway-sign-in", GatewaySignIn)
}

export { GatewaySignIn, SignedInEvent } from "./element/sign-in-element.js"
export { english, type Texts } from "./element/texts.js"
