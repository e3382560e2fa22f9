// What a page does by itself: countdowns, news as they come, and a few keys. Without it
// everything works by links and forms.
"use strict";

const SOON_SECONDS = 30;
const RETRY_MS = 400;
const HIDDEN_MS = 30000;
const SETTLE_MS = 500; // after news, so that no key meant for the row before decides
// The daemon's clock counts, not this machine's.
const ahead = Date.now() / 1000 - Number(document.body.dataset.now);
let movedAt = 0;

function now() {
  return Date.now() / 1000 - ahead;
}

function words(seconds) {
  const units = [["day", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  let left = Math.max(0, Math.floor(seconds));
  const said = [];
  for (const [name, size] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count || said.length) said.push([count, name]);
  }
  const shown = said.slice(0, 2).filter(([count]) => count);
  const written = shown.map(([count, name]) => `${count} ${name}${name === "day" && count > 1 ? "s" : ""}`);
  return written.join(" ") || "0 s";
}

function countDown() {
  for (const each of document.querySelectorAll(".left[data-until]")) {
    const seconds = Number(each.dataset.until) - now();
    each.textContent = words(seconds);
    each.classList.toggle("soon", seconds < SOON_SECONDS);
    if (seconds > 0) continue;
    const around = each.closest(".card[data-key], [data-request] .request");
    if (around) around.querySelectorAll(".act form button, .decide button").forEach((button) => { button.disabled = true; });
  }
}

// ---- the inbox, as it is now

function isBusy(live) {
  // Who is about to press a button must not find another one under the pointer.
  return live.querySelector("form button:hover, form button:active, form :focus-visible") !== null;
}

function keysOf(live) {
  return [...live.querySelectorAll(".card")].map((card) => card.dataset.key).join();
}

let isWanted = false;

async function refresh() {
  const live = document.getElementById("live");
  if (!live) return;
  if (isBusy(live)) {
    if (!isWanted) setTimeout(() => { isWanted = false; refresh(); }, RETRY_MS);
    isWanted = true;
    return;
  }
  let answer;
  try {
    answer = await fetch("/inbox", { headers: { Accept: "text/html" } });
  } catch {
    return; // the stream tells when the daemon is back
  }
  if (answer.redirected || !answer.ok) { location.assign("/inbox"); return; }
  const made = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = made.getElementById("live");
  if (!fresh || isBusy(live)) { setTimeout(refresh, RETRY_MS); return; }
  const chosen = live.querySelector(".card:focus");
  const key = chosen && chosen.dataset.key;
  const opened = [...live.querySelectorAll("details[open]")].map((each) => each.closest(".card").dataset.key);
  if (keysOf(live) !== keysOf(fresh)) movedAt = Date.now();
  live.replaceChildren(...fresh.childNodes);
  document.title = made.title;
  for (const name of ["pending", "switches"]) document.getElementById(name).replaceWith(made.getElementById(name));
  for (const card of live.querySelectorAll(".card")) {
    if (card.dataset.key === key) card.focus({ preventScroll: true });
    const details = card.querySelector("details.each");
    if (details && opened.includes(card.dataset.key)) details.open = true;
  }
  countDown();
}

// A browser keeps six connections to a host, and each open page would hold one: so a page
// that nobody sees asks now and then instead of listening.
const shown = document.body.dataset.request;
let source = null;
let asking = 0;

function look() {
  if (shown) compare();
  else refresh();
}

async function compare() {
  const answer = await fetch(`/confirm/${shown}`, { headers: { Accept: "application/json" } }).catch(() => null);
  if (answer && answer.ok && String((await answer.json()).rev) !== document.body.dataset.rev) change();
}

function listen() {
  if (!shown && !document.getElementById("live")) return;
  clearInterval(asking);
  if (source) source.close();
  if (document.hidden) {
    asking = setInterval(look, HIDDEN_MS);
    return;
  }
  source = new EventSource("/events");
  source.addEventListener("ready", look);
  source.addEventListener("reset", look);
  source.addEventListener("request", (event) => {
    const told = JSON.parse(event.data);
    if (!shown) refresh();
    else if (told.id === shown && String(told.rev) !== document.body.dataset.rev) change();
  });
}

function change() {
  document.getElementById("changed").hidden = false;
  document.querySelectorAll(".decide button").forEach((button) => { button.disabled = true; });
}

// ---- keys: j and k choose, a approves, d denies; only what is on the screen

function choose(step) {
  const cards = [...document.querySelectorAll("#live .card")];
  if (!cards.length) return;
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const next = at < 0 ? (step > 0 ? 0 : cards.length - 1) : Math.min(Math.max(at + step, 0), cards.length - 1);
  cards[next].focus();
  cards[next].scrollIntoView({ block: "nearest" });
}

function decide(name) {
  const chosen = document.activeElement.closest("#live .card") || document.getElementById("decision");
  const button = chosen && chosen.querySelector(`button.${name}`);
  if (button && !button.disabled && Date.now() - movedAt > SETTLE_MS) button.click();
}

document.addEventListener("keydown", (event) => {
  const typed = event.target.closest("input, textarea, select, [contenteditable]");
  if (typed || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const card = document.activeElement.matches(".card") ? document.activeElement : null;
  if (event.key === "j") choose(1);
  else if (event.key === "k") choose(-1);
  else if (event.key === "a") decide("yes");
  else if (event.key === "d") decide("no");
  else if (event.key === "Enter" && card) card.querySelector("h2 a").click();
});

// A decision is sent once, however often one clicks.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});
addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => form.removeAttribute("data-sent")));

countDown();
setInterval(countDown, 1000);
document.addEventListener("visibilitychange", listen);
listen();
