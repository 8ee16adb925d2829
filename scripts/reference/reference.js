// The reference works without this script; it adds the search, the choice of a language and the folding menu.
const root = document.documentElement
root.classList.add("js")

const all = (selector, within = document) => [...within.querySelectorAll(selector)]
const one = selector => document.querySelector(selector)

// MARK: Language

/** Storage may be refused, such as for a file. */
function remembered() {
    try { return localStorage.getItem("language") } catch { return null }
}

function choose(language) {
    root.dataset.language = language
    for (const button of all(".languages button")) {
        button.setAttribute("aria-pressed", String(button.dataset.language === language))
    }
    try { localStorage.setItem("language", language) } catch { /* It lasts as long as the page. */ }
}

choose(remembered() ?? root.dataset.language)
for (const button of all(".languages button")) {
    button.addEventListener("click", () => {
        const before = button.getBoundingClientRect().top
        choose(button.dataset.language)
        // Samples of other calls change their height too: the reader stays where they are.
        scrollBy(0, button.getBoundingClientRect().top - before)
    })
}

// MARK: Examples and copying

for (const select of all(".code select")) {
    const code = select.closest(".code")
    select.addEventListener("change", () => {
        for (const panel of all("pre", code)) panel.hidden = panel.dataset.panel !== select.value
    })
}

for (const button of all(".copy")) {
    button.addEventListener("click", async () => {
        const panel = all("pre", button.closest(".sample")).find(pre => pre.offsetParent !== null)
        if (panel === undefined) return
        try {
            await navigator.clipboard.writeText(panel.textContent)
            button.textContent = "Copied"
        } catch {
            getSelection().selectAllChildren(panel)
            button.textContent = "Selected"
        }
        setTimeout(() => { button.textContent = "Copy" }, 1500)
    })
}

// MARK: Menu

const [menu, side] = [one(".menu"), one(".side")]

function setMenu(isOpen) {
    menu.setAttribute("aria-expanded", String(isOpen))
    side.classList.toggle("open", isOpen)
}

menu.addEventListener("click", () => setMenu(menu.getAttribute("aria-expanded") !== "true"))
side.addEventListener("click", event => { if (event.target.closest("a")) setMenu(false) })

// MARK: The place in the navigation

const links = new Map(all('.side nav a[href^="#"]').map(link => [link.hash.slice(1), link]))

function mark(id) {
    const link = links.get(id)
    if (link === undefined || link.hasAttribute("aria-current")) return
    for (const other of links.values()) other.removeAttribute("aria-current")
    link.setAttribute("aria-current", "location")
    const [place, room] = [link.getBoundingClientRect(), side.getBoundingClientRect()]
    const isOut = place.top < room.top + 80 || place.bottom > room.bottom
    if (isOut) side.scrollTop += place.top - room.top - room.height / 3
}

const observer = new IntersectionObserver(entries => {
    const shown = entries.find(entry => entry.isIntersecting)
    if (shown) mark(shown.target.id)
}, { rootMargin: "-15% 0px -80%" })
for (const id of links.keys()) {
    const call = document.getElementById(id)
    if (call) observer.observe(call)
}

// MARK: Search

const [field, list] = [one(".search input"), one("#found")]
let chosen = -1

/** Lower is better; undefined if a word is not found. */
function rank([title, place, , more], words) {
    const [name, address, others] = [title, place, more].map(text => text.toLowerCase())
    let sum = 0
    for (const word of words) {
        if (name.startsWith(word)) sum += 0
        else if (name.includes(word)) sum += 1
        else if (address.includes(word)) sum += 2
        else if (others.split(" ").some(other => other.toLowerCase() === word)) sum += 3
        else if (others.includes(word)) sum += 4
        else return undefined
    }
    return sum
}

function find() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = words.length === 0 ? [] : (window.searchIndex ?? [])
        .map(entry => ({ entry, rank: rank(entry, words) })).filter(({ rank }) => rank !== undefined)
        .sort((left, right) => left.rank - right.rank).slice(0, 12)
    list.replaceChildren(...found.map(({ entry }, index) => item(entry, index, words)))
    if (words.length > 0 && found.length === 0) {
        list.append(element("li", { className: "none", textContent: "Nothing found." }))
    }
    list.hidden = words.length === 0
    field.setAttribute("aria-expanded", String(words.length > 0))
    select(found.length > 0 ? 0 : -1)
}

function item([title, place, address, more], index, words) {
    const link = element("a", { href: address, tabIndex: -1, textContent: title })
    const inside = words.filter(word => !title.toLowerCase().includes(word))
    const hit = more.split(" ").find(other => inside.some(word => other.toLowerCase().includes(word)))
    link.append(element("small", { textContent: hit === undefined ? place : `${place} · ${hit}` }))
    const line = element("li", { id: `found-${index}`, role: "option" })
    line.append(link)
    return line
}

const element = (name, members) => Object.assign(document.createElement(name), members)

function select(index) {
    const items = all('li[role="option"]', list)
    chosen = items.length === 0 ? -1 : (index + items.length) % items.length
    items.forEach((line, place) => line.setAttribute("aria-selected", String(place === chosen)))
    if (chosen < 0) field.removeAttribute("aria-activedescendant")
    else field.setAttribute("aria-activedescendant", items[chosen].id)
    items[chosen]?.scrollIntoView({ block: "nearest" })
}

function close() {
    field.value = ""
    find()
}

field.addEventListener("input", find)
field.addEventListener("keydown", event => {
    if (event.key === "ArrowDown") select(chosen + 1)
    else if (event.key === "ArrowUp") select(chosen - 1)
    else if (event.key === "Enter") one('#found li[aria-selected="true"] a')?.click()
    else if (event.key === "Escape") close()
    else return
    event.preventDefault()
})
list.addEventListener("click", () => setTimeout(close))

document.addEventListener("keydown", event => {
    const isTyping = event.target.closest("input, select, textarea")
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    setMenu(true)
    field.focus()
})
