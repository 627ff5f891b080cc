// What each of Prism's server-sent events does to what is shown.

import { element, link } from "./written.js";

export const ON = {
  user_message: (v, e) => {
    v.add(element("div", { class: "user", dir: "auto" }, e.text));
    v.busy(true);
    if (v.live) v.page.changed(); // it may have given the conversation its title
  },
  stream_start: (v, e) => {
    v.busy(true);
    for (const card of v.cards.values()) card.begun = e.at; // what waited for a decision begins with it
  },
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
    if (!v.greeting) v.page.changed(); // what was told meanwhile may have changed the list
  },
  deleted: (v) => v.page.gone(),
};

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
