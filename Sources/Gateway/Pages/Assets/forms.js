// For a second click the browser would send the form again and throw the first answer away, which may be the only one that
// has a code, a secret or a session.
"use strict";
const patience = 10_000;
let sent = null;
addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  const form = event.target;
  if (sent === form) return event.preventDefault();
  sent = form;
  // A file that is fetched leaves the page as it is.
  setTimeout(() => { if (sent === form) sent = null; }, patience);
});
// Back again by the browser's own memory.
addEventListener("pageshow", () => { sent = null; });
