// Rows are JSON with the page's texts; they are inserted as text, never as HTML.
const live = document.getElementById("live")

if (live) {
    const MOST = 200
    const QUIET = 10_000
    const body = document.querySelector("#events tbody")
    const pause = document.getElementById("pause")
    const heard = document.getElementById("heard")
    const nothing = document.getElementById("nothing")
    const waiting = document.getElementById("held")
    // Rows that arrived during the pause, the oldest first.
    let held = []
    let isPaused = false
    let unsaid = 0
    let patience = null

    const words = (key, count) => live.dataset[key].replace("#", String(count))

    function say(state) {
        clearTimeout(patience)
        patience = null
        if (live.dataset.state === state) return
        live.dataset.state = state
        live.textContent = live.dataset[state]
    }

    function element(name, text, className) {
        const made = document.createElement(name)
        if (text) made.textContent = text
        if (className) made.className = className
        return made
    }

    // Links lead only to console pages.
    function link(part) {
        if (!part.address || !part.address.startsWith("/admin/")) return element(part.code ? "code" : "bdi", part.text)
        const made = element("a")
        made.href = part.address
        if (part.title) made.title = part.title
        made.append(element(part.code ? "code" : "bdi", part.text))
        return made
    }

    function cell(parts, label) {
        const made = element("td")
        if (label) made.dataset.label = label
        made.append(...parts)
        return made
    }

    function told(row) {
        const summary = element("summary")
        if (row.refused) summary.append(element("span", row.refused, "badge bad"), " ")
        summary.append(row.event.code ? element("code", row.event.text) : row.event.text)
        if (row.reason) summary.append(" ", element("span", row.reason, "quiet-text"))
        const pairs = element("dl", "", "pairs")
        for (const part of row.parts) {
            const pair = element("div")
            const value = element("dd")
            value.append(part.said ? element("q", part.text) : link(part))
            if (part.id) value.append(" ", element("code", part.id))
            pair.append(element("dt", part.label), value)
            pairs.append(pair)
        }
        const all = element("pre")
        all.append(element("code", row.json))
        const made = element("details", "", "event")
        made.append(summary, pairs, all)
        return made
    }

    function show(row) {
        const time = element("time", row.at)
        time.dateTime = row.iso
        const first = element("th")
        first.scope = "row"
        first.append(time)
        const made = element("tr")
        const account = row.account ? [link(row.account)] : []
        made.append(first, cell([told(row)]), cell(account, live.dataset.account), cell([element("bdi", row.from)]))
        body.prepend(made)
        while (body.rows.length > MOST) body.lastElementChild.remove()
        nothing.hidden = true
        unsaid += 1
    }

    function take(row) {
        if (!isPaused) return show(row)
        held.push(row)
        if (held.length > MOST) held.shift()
        waiting.textContent = words("held", held.length)
    }

    pause.addEventListener("click", () => {
        isPaused = !isPaused
        pause.textContent = isPaused ? pause.dataset.resume : pause.dataset.pause
        waiting.textContent = ""
        if (isPaused) return
        for (const row of held) show(row)
        held = []
    })

    // Screen readers announce the number of new rows at intervals, not every row.
    setInterval(() => {
        if (unsaid === 0) return
        heard.textContent = words("came", unsaid)
        unsaid = 0
    }, QUIET)

    // A reader without the permission is refused. After an outage the page reloads, with the missed rows.
    async function askAgain() {
        const stop = new AbortController()
        try {
            const answer = await fetch(live.dataset.source, { signal: stop.signal })
            stop.abort()
            if (answer.ok) return location.reload()
            if (answer.status < 500) return say("over")
        } catch {
            // The server does not answer.
        }
        say("lost")
        setTimeout(askAgain, 5_000)
    }

    const source = new EventSource(live.dataset.source)
    source.onopen = () => say("connected")
    source.onmessage = event => take(JSON.parse(event.data))
    source.onerror = () => {
        // After any answer but a stream, the browser does not reconnect.
        if (source.readyState === EventSource.CLOSED) return askAgain()
        // A renewed stream is back before the message would appear.
        patience ??= setTimeout(() => say("lost"), 5_000)
    }
    pause.hidden = false
}
