"use strict";
// Copies the text before the button. Browsers allow that only over https or on the own machine.
if (navigator.clipboard) {
  for (const button of document.querySelectorAll(".copy")) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.previousElementSibling.textContent);
        button.textContent = button.dataset.done;
        setTimeout(() => { button.textContent = label; }, 3_000);
      } catch {
        // The text can still be selected.
        button.hidden = true;
      }
    });
  }
}
// An empty preview takes no room.
addEventListener("submit", (event) => {
  const target = event.submitter?.formTarget;
  if (target) document.getElementsByName(target)[0]?.classList.add("shown");
});
// On a narrow screen the bar scrolls: it shows the current page.
document.querySelector(".bar [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
