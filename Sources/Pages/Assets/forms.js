"use strict";
// A password that its author can read has fewer errors.
for (const button of document.querySelectorAll(".reveal .show")) {
  const field = button.previousElementSibling;
  button.hidden = false;
  button.addEventListener("click", () => {
    const isShown = field.type === "text";
    field.type = isShown ? "password" : "text";
    button.setAttribute("aria-pressed", String(!isShown));
    field.focus();
  });
}
// After a refusal the user goes on at the wrong field.
document.querySelector("[aria-invalid='true']")?.focus();
// A second click would send the form again and discard the first answer, which may be the only one with a code, a secret
// or a session.
const patience = 10_000;
let sent = null;
addEventListener("submit", (event) => {
  // The page of a form that answers in a frame stays, and its form can be sent again.
  if (event.defaultPrevented || event.submitter?.formTarget) return;
  const form = event.target;
  if (sent === form) return event.preventDefault();
  sent = form;
  // A download does not replace the page.
  setTimeout(() => { if (sent === form) sent = null; }, patience);
});
// The browser restored the page from its cache.
addEventListener("pageshow", () => { sent = null; });
