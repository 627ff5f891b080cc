// The page of the assistant. It shows Prism's server-sent events; whatever comes from
// a model, a tool or a file is put into text nodes, never into markup.

import { element, link, written } from "./written.js";

const $ = (id) => document.getElementById(id);
const log = $("log"), list = $("list"), form = $("form"), words = $("words");

let token = document.querySelector('meta[name="token"]').content;
let about = null; // what the server says of itself
let current = null; // id of the conversation that is shown
let source = null; // its events
let view = null; // what is shown of it

// --- talking to the server

async function api(path, method = "GET", body = undefined, again = true) {
  const response = await fetch(path, {
    method,
    headers: { "X-Prismpy-Token": token, "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  if (response.status === 401) location.reload(); // it asks for the password
  if (response.status === 403 && again && (await renewed())) return api(path, method, body, false);
  let told = text;
  try {
    told = JSON.parse(text).error;
  } catch {
    // a refusal in plain words
  }
  throw new Error(told);
}

// a server that was started anew has a token of its own
async function renewed() {
  const found = /name="token" content="([\w-]+)"/.exec(await (await fetch("/")).text());
  if (!found || found[1] === token) return false;
  token = found[1];
  return true;
}

function complain(error) {
  view?.note(error.message, "bad");
}

// --- words for values

function shown(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function gist(value) {
  if (value === null || typeof value !== "object") return String(value ?? "");
  return Object.values(value).filter((each) => typeof each !== "object").join(" · ");
}

function seconds(taken) {
  return taken < 0.95 ? `${Math.max(1, Math.round(taken * 1000))} ms` : `${taken.toFixed(1)} s`;
}

// --- one conversation, as it is shown

class View {
  constructor(id) {
    this.id = id;
    this.texts = new Map(); // message id to the text that is being written
    this.thoughts = new Map();
    this.cards = new Map(); // tool id to its card
    this.pinned = true; // whether the end stays in sight
    this.live = false; // whether what comes is of now, not of the past
    this.last = 0; // number of the last event
    this.busy(false);
    log.replaceChildren();
    this.welcome();
  }

  welcome() {
    const names = about.tools.map(({ name }) => name).join(", ");
    const ideas = about.ideas.map((idea) => element("button", { type: "button", onclick: () => ask(idea) }, idea));
    this.greeting = element(
      "div",
      { class: "welcome" },
      element("h2", {}, "What can I do for you?"),
      element("p", {}, about.greeting || (names && `Tools at hand: ${names}.`)),
      element("div", { class: "ideas" }, ...ideas),
    );
    log.append(this.greeting);
  }

  add(child) {
    this.greeting?.remove();
    this.greeting = null;
    log.append(child);
    this.keepUp();
    return child;
  }

  follow() {
    this.pinned = true;
    log.scrollTop = log.scrollHeight;
  }

  // stay at the end, unless the reader has scrolled up
  keepUp() {
    if (this.pinned) log.scrollTop = log.scrollHeight;
  }

  busy(running) {
    this.running = running;
    $("send").hidden = running;
    $("stop").hidden = !running;
    log.setAttribute("aria-busy", String(running || !this.live)); // to be read aloud when it is complete
  }

  note(text, kind = "") {
    this.add(element("p", { class: `note ${kind}`, role: kind === "bad" ? "alert" : "status" }, text));
  }

  // text and thoughts grow; they are drawn once a frame at most, and less often if that takes long
  grow(map, key, delta, kind) {
    let piece = map.get(key);
    if (!piece) {
      piece = { text: "", cost: 0, node: this.add(element("div", { class: kind })) };
      map.set(key, piece);
    }
    piece.text += delta;
    piece.node.classList.toggle("writing", kind === "text" && this.live);
    if (piece.due) return;
    piece.due = true;
    setTimeout(() => requestAnimationFrame(() => this.draw(piece, kind)), piece.cost);
  }

  draw(piece, kind) {
    const begun = performance.now();
    piece.due = false;
    if (kind === "text") piece.node.replaceChildren(...written(piece.text));
    else piece.node.textContent = piece.text;
    this.keepUp();
    requestAnimationFrame(() => (piece.cost = performance.now() - begun));
  }

  finish(map, key) {
    map.get(key)?.node.classList.remove("writing");
    map.delete(key);
  }

  end() {
    for (const key of [...this.texts.keys()]) this.finish(this.texts, key);
    this.thoughts.clear();
    this.busy(false);
    if (this.live) refresh().catch(complain);
  }

  card(id, name) {
    let card = this.cards.get(id);
    if (card) return card;
    const node = element(
      "details",
      { class: "card" },
      element(
        "summary",
        {},
        element("span", { class: "dot" }),
        element("span", { class: "name" }, name),
        element("span", { class: "gist" }),
        element("span", { class: "state" }),
      ),
      element("dl", {}),
    );
    card = { node, text: "", begun: null };
    this.cards.set(id, card);
    this.add(node);
    return card;
  }

  state(card, state, label) {
    card.node.dataset.state = state;
    card.node.querySelector(".state").textContent = label;
  }

  row(card, label, value) {
    const rows = card.node.querySelector("dl");
    let row = [...rows.children].find((child) => child.tagName === "DT" && child.textContent === label);
    if (!row) {
      row = element("dt", {}, label);
      rows.append(row, element("dd", {}, element("pre", {})));
    }
    row.nextElementSibling.firstChild.textContent = value;
  }

  choice(card, event) {
    const decide = async (agreed) => {
      buttons.forEach((button) => (button.disabled = true));
      try {
        await api(`/api/conversations/${this.id}/decisions`, "POST", { digest: event.approval_id, agreed });
        if (box.contains(document.activeElement)) card.node.querySelector("summary").focus();
        box.remove();
      } catch (error) {
        buttons.forEach((button) => (button.disabled = false));
        complain(error);
      }
    };
    const buttons = [
      element("button", { type: "button", class: "primary approve", onclick: () => decide(true) }, "Approve"),
      element("button", { type: "button", class: "decline", onclick: () => decide(false) }, "Decline"),
    ];
    const label = `Run ${event.tool_name}?`;
    const box = element("div", { class: "choice", role: "group", "aria-label": label, tabIndex: -1 }, ...buttons);
    card.node.append(box);
    card.choice = box;
    card.node.open = true;
    this.keepUp();
    if (this.live && !words.value) box.focus(); // not a button: whoever is typing must not press it
  }
}

// what each event does to what is shown
const ON = {
  user_message: (v, e) => {
    v.add(element("div", { class: "user", dir: "auto" }, e.text));
    v.busy(true);
    if (v.live) refresh().catch(complain); // it may have given the conversation its title
  },
  stream_start: (v) => v.busy(true),
  text_delta: (v, e) => v.grow(v.texts, e.message_id, e.delta, "text"),
  text_complete: (v, e) => v.finish(v.texts, e.message_id),
  thinking_delta: (v, e) => v.grow(v.thoughts, e.reasoning_id, e.delta, "thought"),
  thinking_complete: (v, e) => v.finish(v.thoughts, e.reasoning_id),
  tool_call_delta: (v, e) => {
    const card = v.card(e.tool_id, e.tool_name);
    card.text += e.delta;
    v.state(card, "running", "writing…");
    v.row(card, "Arguments", card.text);
  },
  tool_call: (v, e) => {
    const card = v.card(e.tool_id, e.tool_name);
    card.begun = e.at;
    card.node.querySelector(".gist").textContent = gist(e.arguments);
    v.state(card, "running", "running…");
    v.row(card, "Arguments", shown(e.arguments ?? {}));
  },
  tool_approval_request: (v, e) => {
    const card = v.card(e.tool_id, e.tool_name);
    v.state(card, "waiting", "needs your approval");
    v.row(card, "Arguments", shown(e.arguments ?? {}));
    if (!card.choice) v.choice(card, e);
  },
  tool_result: (v, e) => {
    const card = v.card(e.tool_id, e.tool_name);
    const time = card.begun && e.at ? seconds(e.at - card.begun) : "";
    card.choice?.remove();
    v.state(card, e.success ? "done" : "failed", e.success ? time : ["failed", time].filter(Boolean).join(" · "));
    v.row(card, e.success ? "Result" : "Error", shown(e.success ? e.result : e.error));
    v.cards.delete(e.tool_id); // ids may come again in a later step
    v.keepUp();
  },
  artifact: (v, e) => {
    const { id, mime_type: type, name, size } = e.artifact;
    const href = `/artifacts/${encodeURIComponent(id)}`;
    const label = `${name} · ${type} · ${Math.max(1, Math.round(size / 1024))} kB`;
    if (/^image\/(png|jpeg|gif|webp)$/.test(type)) {
      const picture = element("img", { src: href, alt: name, onload: () => v.keepUp() });
      v.add(element("figure", { class: "picture" }, picture, element("figcaption", {}, label)));
    } else {
      v.add(element("p", { class: "file" }, element("a", { href, download: name }, label)));
    }
  },
  provider_tool_event: (v, e) => {
    const card = v.card(`provider ${e.item_id} ${e.tool_type}`, e.tool_type);
    const over = /completed|failed|done/.test(e.status);
    v.state(card, e.status === "failed" ? "failed" : over ? "done" : "running", e.status);
    card.node.querySelector(".gist").textContent = gist(e.data);
    if (Object.keys(e.data).length) v.row(card, "Data", shown(e.data));
  },
  citation: (v, e) => {
    const { source: from, source_title: title } = e.citation;
    const label = title || from;
    v.add(element("p", { class: "note cited" }, "Source: ", /^https?:\/\//.test(from) ? link(from, label) : label));
  },
  error: (v, e) => v.note(e.recoverable ? `Trying again: ${e.message}` : e.message, e.recoverable ? "" : "bad"),
  stopped: (v) => {
    for (const card of v.cards.values()) v.state(card, "failed", "stopped");
    v.note("Stopped.");
    v.end();
  },
  stream_end: (v) => v.end(),
  caught_up: (v, e) => {
    const first = !v.live; // it comes again and again
    v.live = true;
    v.busy(e.running);
    if (!first) return;
    v.follow();
    if (!v.greeting) refresh().catch(complain); // what was told meanwhile may have changed the list
  },
  deleted: () => leave().catch(complain),
};

// --- conversations

function open(id) {
  current = id;
  view = new View(id);
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
