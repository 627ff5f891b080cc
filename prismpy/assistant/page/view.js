// One conversation, as it is shown.

import { api } from "./server.js";
import { element, written } from "./written.js";

const $ = (id) => document.getElementById(id);
const log = $("log"), words = $("words");

export class View {
  // the page is told: ask(text), complain(error), changed() for the list, gone() where the conversation was deleted
  constructor(id, about, page) {
    this.id = id;
    this.about = about; // what the server says of itself
    this.page = page;
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
    const { tools, ideas, greeting } = this.about;
    const names = tools.map(({ name }) => name).join(", ");
    const asking = (idea) => element("button", { type: "button", onclick: () => this.page.ask(idea) }, idea);
    this.greeting = element(
      "div",
      { class: "welcome" },
      element("h2", {}, "What can I do for you?"),
      element("p", {}, greeting || (names && `Tools at hand: ${names}.`)),
      element("div", { class: "ideas" }, ...ideas.map(asking)),
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
    if (this.live) this.page.changed();
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
        this.page.complain(error);
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
