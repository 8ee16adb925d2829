// The element's languages, brands and order of buttons.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { languageOf, languages } from "../dist/element/languages.js"
import { startView } from "../dist/element/start-views.js"
import { stepView } from "../dist/element/step-views.js"
import { by } from "../dist/index.js"
import { attributesFile } from "../scripts/make-attributes.mjs"
import { brandsFile } from "../scripts/make-brands.mjs"
import { client, json, network } from "./gateway.mjs"

const places = text => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

test("every language has its own words, with no other places than the English ones", () => {
    assert.deepEqual(Object.keys(languages), ["en", "zh-Hans", "ja", "ru", "de"])
    for (const [tag, texts] of Object.entries(languages)) {
        assert.deepEqual(Object.keys(texts), Object.keys(languages.en), tag)
        for (const [key, text] of Object.entries(texts)) {
            assert.ok(text.length > 0, `${tag} ${key}`)
            for (const place of places(text)) assert.ok(languages.en[key].includes(place), `${tag} ${key} ${place}`)
        }
        const sentences = Object.keys(texts).filter(key => languages.en[key].split(" ").length > 3)
        if (tag !== "en") for (const key of sentences) assert.notEqual(texts[key], languages.en[key], `${tag} ${key}`)
    }
})

test("a tag finds its language by its first part, and any other one is English", () => {
    const tags = ["de-AT", "DE", "zh-TW", "ja", "ru-RU", "en-GB", "fr", ""]
    assert.deepEqual(tags.map(languageOf), ["de", "de", "zh-Hans", "ja", "ru", "en", "en", "en"])
})

test("the brands are those of the hosted pages", () => {
    assert.equal(readFileSync(new URL("../src/element/brands.ts", import.meta.url), "utf8"), brandsFile())
})

test("the labels of attributes are those of the hosted pages", () => {
    assert.equal(readFileSync(new URL("../src/element/attributes.ts", import.meta.url), "utf8"), attributesFile())
})

test("a step labels the attributes of Cognito and Microsoft, and shows an unknown name as it is", async () => {
    const next_step = {
        type: "continue_sign_up_with_attributes",
        required_attributes: ["given_name", "postalCode", "surname", "custom:team"]
    }
    const net = network(() => json({ status: "next_step", flow: "fl_1", expires_in: 600, next_step }))
    const { step } = await client(net).signIn(by.name("ann"))
    const labels = language => stepView(step, { texts: languages[language] }).fields.map(field => field.label)
    assert.deepEqual(labels("de"), ["Vorname", "Postleitzahl", "Nachname", "custom:team"])
    assert.deepEqual(labels("ja"), ["名", "郵便番号", "姓", "custom:team"])
})

function actions(providers, language = "en") {
    const settings = {
        client: client(network()), texts: languages[language], language, methods: ["password"], providers,
        redirectUri: "https://www.example.com/", signsUp: true
    }
    return startView(settings).actions
}

test("three providers have whole buttons with the brand's words, and other brands are icons", () => {
    const all = actions(["google", "github", "microsoft", "acme", "discord", "apple"], "de")
    assert.deepEqual(all.filter(one => one.provider && !one.isIcon).map(one => one.provider), [
        "google", "github", "apple", "acme"
    ])
    assert.deepEqual(all.filter(one => one.isIcon).map(one => one.provider), ["microsoft", "discord"])
    assert.deepEqual(all.slice(0, 3).map(one => one.label), [
        "Über Google anmelden", "Mit GitHub anmelden", "Mit Apple anmelden"
    ])
})

test("the name of the first view goes along", async () => {
    const forgot = actions([]).find(action => action.name === "forgot")
    const view = await forgot.run({ username: "ann@example.com", password: "secret" })
    assert.deepEqual(view.fields.map(field => [field.name, field.value]), [["username", "ann@example.com"]])
})

test("a step shows the address that the user typed, and masks any other one", async () => {
    const next_step = {
        type: "confirm_sign_up", delivery: { medium: "email", destination: "a•••@e•••.com", code_length: 6 }
    }
    const net = network(() => json({ status: "next_step", flow: "fl_1", expires_in: 600, next_step }))
    const { step } = await client(net).signIn(by.name("ann"))
    const text = typed => stepView(step, { texts: languages.en, typed }).text
    assert.equal(text({ username: "anna@example.com" }), "We sent a code to anna@example.com.")
    assert.equal(text({ username: "anna@other.com" }), "We sent a code to a•••@e•••.com.")
    assert.equal(text({ username: "ann" }), "We sent a code to a•••@e•••.com.")
})
