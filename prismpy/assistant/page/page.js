// The page of the assistant: its conversations, and the keys and buttons. It shows Prism's server-sent events; whatever
// comes from a model, a tool or a file is put into text nodes, never into markup.

import { ON } from "./events.js";
import { api } from "./server.js";
import { View } from "./view.js";
import { element } from "./written.js";

const $ = (id) => document.getElementById(id);
const log = $("log"), list = $("list"), form = $("form"), words = $("words");

let about = null; // what the server says of itself
let current = null; // id of the conversation that is shown
let source = null; // its events
let view = null; // what is shown of it

function complain(error) {
  view?.note(error.message, "bad");
}

// what a view asks of the page
const page = {
  ask,
  complain,
  changed: () => refresh().catch(complain),
  gone: () => leave().catch(complain),
};

function open(id) {
  current = id;
  view = new View(id, about, page);
  history.replaceState(null, "", `#${id}`);
  mark();
  listen(view);
}

function listen(mine) {
  source?.close();
  source = new EventSource(`/api/conversations/${mine.id}/events?after=${mine.last}`);
  for (const [type, show] of Object.entries(ON)) {
    source.addEventListener(type, (event) => {
      if (view !== mine || event.data === undefined) return;
      mine.last = event.lastEventId || mine.last;
      show(mine, JSON.parse(event.data));
    });
  }
  source.onopen = () => ($("connection").hidden = true);
  // an event called "error" arrives here too; only one without data is about the connection
  source.onerror = (event) => {
    if (event.data !== undefined) return;
    $("connection").hidden = false;
    if (event.target.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    setTimeout(() => view === mine && leave().catch(complain), 2000);
  };
}

// browsers lend a few connections only, so a page that nobody sees gives its own back
document.addEventListener("visibilitychange", () => {
  if (document.hidden) source?.close();
  else if (view) listen(view);
});

// show another conversation in the place of one that is gone
async function leave() {
  const rest = await refresh();
  const next = rest.find(({ id }) => id === current) ?? rest[0];
  if (next) open(next.id);
  else await begin();
}

async function begin() {
  const unused = (await refresh()).find(({ title }) => !title);
  const { id } = unused ?? (await api("/api/conversations", "POST"));
  if (!unused) await refresh();
  open(id);
}

async function ask(text) {
  // who types fast must not begin a second conversation
  if (!text.trim() || !(await ready) || view.running) return;
  const mine = view;
  mine.busy(true); // who types faster must not send twice
  const typed = words.value;
  words.value = typed === text ? "" : typed;
  try {
    await api(`/api/conversations/${mine.id}/messages`, "POST", { text });
    mine.follow();
  } catch (error) {
    words.value = words.value || typed;
    mine.busy(false);
    complain(error);
  }
  size();
}

async function refresh() {
  const all = await api("/api/conversations");
  list.replaceChildren(
    ...all.map(({ id, title }) => {
      const name = title || "New conversation";
      const bin = element("button", {
        type: "button",
        class: "delete",
        "aria-label": `Delete ${name}`,
        title: "Delete",
        onclick: () => remove(id, name),
      });
      bin.append(icon("M5 7h14M10 7V5h4v2m-7 0 1 12h8l1-12"));
      const show = element("button", { type: "button", class: "open", title: name, dir: "auto", onclick: () => (close(), open(id)) }, name);
      return element("li", { id: `in-list-${id}` }, show, bin);
    }),
  );
  mark();
  return all;
}

function icon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "path");
  drawn.setAttribute("d", path);
  svg.append(drawn);
  return svg;
}

async function remove(id, name) {
  if (!window.confirm(`Delete “${name}” and all that was said in it?`)) return;
  try {
    await api(`/api/conversations/${id}`, "DELETE");
    if (id !== current) await refresh(); // else an event tells of it
  } catch (error) {
    complain(error);
  }
}

function mark() {
  for (const item of list.children) {
    const is = item.id === `in-list-${current}`;
    item.classList.toggle("current", is);
    if (is) item.firstChild.setAttribute("aria-current", "true");
    else item.firstChild.removeAttribute("aria-current");
  }
}

function close() {
  $("conversations").classList.remove("open");
  $("menu").setAttribute("aria-expanded", "false");
}

function size() {
  if (CSS.supports("field-sizing", "content")) return;
  words.style.height = "auto";
  words.style.height = `${words.scrollHeight}px`;
}

async function stop() {
  if (!view?.running) return;
  try {
    await api(`/api/conversations/${current}/stop`, "POST");
  } catch (error) {
    complain(error);
  }
}

log.addEventListener("scroll", () => {
  if (view) view.pinned = log.scrollHeight - log.scrollTop - log.clientHeight < 120;
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask(words.value);
});
words.addEventListener("input", size);
words.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    ask(words.value);
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  if ($("conversations").classList.contains("open")) {
    close();
    $("menu").focus();
  } else stop();
});
$("stop").addEventListener("click", stop);
document.querySelector("main").addEventListener("click", close);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address names the conversation
  words.focus();
});
$("new").addEventListener("click", () => {
  close();
  begin().then(() => words.focus(), complain);
});
$("menu").addEventListener("click", () => {
  const opened = $("conversations").classList.toggle("open");
  $("menu").setAttribute("aria-expanded", String(opened));
});

async function start() {
  if (location.search) history.replaceState(null, "", `/${location.hash}`); // the password need not stay in sight
  about = await api("/api/about");
  $("model").textContent = about.offline ? "offline model" : about.model;
  $("model").hidden = false;
  const known = await refresh();
  const wanted = known.find(({ id }) => `#${id}` === location.hash) ?? known[0];
  if (wanted) open(wanted.id);
  else await begin();
}

// whether it went well
const ready = start().then(
  () => true,
  (error) => log.append(element("p", { class: "note bad", role: "alert" }, error.message)),
);
