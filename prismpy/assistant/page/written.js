// A part of Markdown as elements: paragraphs, headings, lists, tables, code, **strong**, *emphasis* and links.
// Text becomes text nodes; links lead to http and https only.

const FENCE = /^\s*```/;
const HEADING = /^#{1,6} +(.+)/;
const ITEM = /^(\s*)([*+-]|\d{1,9}[.)]) +(.*)/;
const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^[\s|:-]+$/;
const INLINE =
  /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^[\]\n]{1,300}\]\(https?:\/\/[^\s()]{1,2000}\)|https?:\/\/[^\s<>"'`*()[\]]{1,2000})/;

export function element(kind, properties = {}, ...children) {
  const made = document.createElement(kind);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

export function link(href, label) {
  return element("a", { href, target: "_blank", rel: "noopener noreferrer" }, label);
}

// the text of a model as elements
export function written(text) {
  return blocks(text.split("\n"));
}

function blocks(lines) {
  const made = [];
  let at = 0;
  const taken = (fits) => {
    const from = at;
    while (at < lines.length && fits(lines[at])) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at];
    if (!line.trim()) at += 1;
    else if (FENCE.test(line)) {
      at += 1;
      made.push(element("pre", {}, element("code", {}, taken((each) => !FENCE.test(each)).join("\n"))));
      at += 1;
    } else if (HEADING.test(line)) {
      made.push(element("h3", { dir: "auto" }, ...inline(HEADING.exec(line)[1])));
      at += 1;
    } else if (ITEM.test(line)) made.push(listed(taken((each) => ITEM.test(each) || /^\s+\S/.test(each))));
    else if (ROW.test(line)) made.push(table(taken((each) => ROW.test(each))));
    else {
      const rest = taken((each) => each.trim() && ![FENCE, HEADING, ITEM, ROW].some((other) => other.test(each)));
      const words = rest.flatMap((each, place) => (place ? [element("br"), ...inline(each)] : inline(each)));
      made.push(element("p", { dir: "auto" }, ...words));
    }
  }
  return made;
}

function listed(lines) {
  const [, indent, mark] = ITEM.exec(lines[0]);
  const items = [];
  for (const line of lines) {
    const found = ITEM.exec(line);
    if (found && found[1].length <= indent.length) items.push({ first: found[3], rest: [] });
    else items.at(-1).rest.push(found ? line : line.trim());
  }
  const made = items.map(({ first, rest }) => element("li", {}, ...inline(first), ...blocks(rest)));
  const numbered = /\d/.test(mark);
  return element(numbered ? "ol" : "ul", numbered ? { dir: "auto", start: parseInt(mark, 10) } : { dir: "auto" }, ...made);
}

function table(lines) {
  const rows = lines.filter((line) => !RULE.test(line)).map((line) => line.trim().slice(1, -1).split("|"));
  const headed = lines.length > 1 && RULE.test(lines[1]);
  const made = rows.map((cells, place) => {
    const kind = headed && place === 0 ? "th" : "td";
    return element("tr", {}, ...cells.map((cell) => element(kind, { dir: "auto" }, ...inline(cell.trim()))));
  });
  return element("div", { class: "table" }, element("table", {}, ...made));
}

function inline(text) {
  return text.split(INLINE).filter(Boolean).map((part) => {
    if (/^`[^`]+`$/.test(part)) return element("code", {}, part.slice(1, -1));
    if (/^\*\*[^*]+\*\*$/.test(part)) return element("strong", {}, part.slice(2, -2));
    if (/^\*[^*\s][^*]*\*$/.test(part)) return element("em", {}, part.slice(1, -1));
    const named = /^\[([^\]]+)\]\((https?:[^)]+)\)$/.exec(part);
    if (named) return link(named[2], named[1]);
    if (/^https?:\/\/\S+$/.test(part)) return address(part);
    return document.createTextNode(part);
  });
}

// the full stop behind an address is not a part of it
function address(part) {
  const href = part.replace(/[.,;:!?]+$/, "");
  const made = document.createDocumentFragment();
  made.append(link(href, href), part.slice(href.length));
  return made;
}
