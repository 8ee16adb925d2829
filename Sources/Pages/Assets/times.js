"use strict";
// Without this script times are in UTC. With it they are in the reader's zone, and UTC is their tooltip.
const language = document.documentElement.lang;
const locales = [...navigator.languages.filter(tag => tag.startsWith(language)), language];
for (const time of document.querySelectorAll("time")) {
  const at = new Date(time.dateTime);
  if (isNaN(at)) continue;
  const style = /\d:\d/.test(time.textContent) ? { dateStyle: "long", timeStyle: "short" } : { dateStyle: "long" };
  time.title = time.textContent;
  time.textContent = new Intl.DateTimeFormat(locales, style).format(at);
}
