import { attributes } from "./attributes.js"
import { chinese } from "./chinese.js"
import { german } from "./german.js"
import { japanese } from "./japanese.js"
import { russian } from "./russian.js"
import { english, type Texts } from "./texts.js"

/** The languages of the hosted pages. */
export const languages: { readonly [tag: string]: Texts } = {
    en: { ...english, ...attributes.en }, "zh-Hans": { ...chinese, ...attributes["zh-Hans"] },
    ja: { ...japanese, ...attributes.ja }, ru: { ...russian, ...attributes.ru }, de: { ...german, ...attributes.de }
}

/** The language of a BCP 47 tag, by its first subtag; English for any other one. */
export function languageOf(tag: string): string {
    const first = tag.toLowerCase().split("-")[0] ?? ""
    return Object.keys(languages).find(known => known.split("-")[0] === first) ?? "en"
}
