"use strict";
const found = JSON.parse(document.getElementById("found").textContent);
const SIZE = 50;

function table(id, search, rows, draw) {
  const body = document.querySelector("#" + id + " tbody");
  const bar = document.querySelector("[data-for=" + id + "]");
  const [back, next] = bar.querySelectorAll("button");
  const state = { page: 0, by: null, up: true, text: "", all: false };
  const shown = () => {
    let kept = rows.filter(row => search(row).toLowerCase().includes(state.text));
    if (state.by !== null) {
      const key = state.by, sign = state.up ? 1 : -1;
      kept = [...kept].sort((a, b) => sign * (a[key] > b[key] ? 1 : a[key] < b[key] ? -1 : 0));
    }
    return kept;
  };
  const render = () => {
    const kept = shown(), pages = Math.max(1, Math.ceil(kept.length / SIZE));
    state.page = Math.min(state.page, pages - 1);
    const part = state.all ? kept : kept.slice(state.page * SIZE, (state.page + 1) * SIZE);
    body.replaceChildren(...part.map(draw));
    back.disabled = state.page === 0;
    next.disabled = state.page === pages - 1;
    bar.querySelector("output").textContent =
      kept.length.toLocaleString() + " of " + rows.length.toLocaleString() +
      (state.text ? " with “" + state.text + "”" : "") + (state.all ? "" : ", page " + (state.page + 1) + " of " + pages);
  };
  bar.querySelector("input").addEventListener("input", event => {
    state.text = event.target.value.toLowerCase(); state.page = 0; render();
  });
  back.addEventListener("click", () => { state.page -= 1; render(); });
  next.addEventListener("click", () => { state.page += 1; render(); });
  document.querySelectorAll("#" + id + " th[data-key]").forEach(head => {
    head.querySelector("button").addEventListener("click", () => {
      state.up = state.by === head.dataset.key ? !state.up : head.dataset.up !== "no";
      state.by = head.dataset.key;
      document.querySelectorAll("#" + id + " th").forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", state.up ? "ascending" : "descending");
      render();
    });
  });
  render();
  return all => { state.all = all; render(); };
}

function cell(text, kind) {
  const made = document.createElement("td");
  made.textContent = text === null ? "–" : text;
  made.className = kind || "";
  return made;
}

function row(...cells) {
  const made = document.createElement("tr");
  made.append(...cells);
  return made;
}

const percent = value => value === null ? null : (100 * value).toFixed(1) + " %";

function picture(item) {
  const space = "http://www.w3.org/2000/svg";
  const make = (name, attributes, text) => {
    const made = document.createElementNS(space, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const wide = text => Math.min(text.length, 70) * 7.3 + 24;
  const cut = text => text.length > 70 ? text.slice(0, 69) + "…" : text;
  const left = wide(item.fact), right = Math.max(0, ...item.facts.map(wide));
  const high = Math.max(1, item.facts.length) * 40, width = left + 60 + right + 2;
  const svg = make("svg", { width, height: high, viewBox: "0 0 " + width + " " + high, role: "img" });
  svg.append(make("title", {}, item.fact + " from " + item.facts.join(", ")));
  const box = (x, y, size, text) => svg.append(
    make("rect", { x, y: y + 4, width: size, height: 30, rx: 5 }), make("text", { x: x + 12, y: y + 24 }, cut(text)));
  const middle = high / 2 - 20;
  box(1, middle, left, item.fact);
  item.facts.forEach((fact, place) => {
    const y = place * 40, start = left + 1, end = left + 61;
    svg.append(make("path", {
      d: "M" + start + " " + (middle + 19) + "C" + (start + 30) + " " + (middle + 19) + " " + (end - 30) + " " + (y + 19) + " " + end + " " + (y + 19)
    }));
    box(end, y, right, fact);
  });
  return svg;
}

function proof(item) {
  const made = document.createElement("details"), head = document.createElement("summary");
  head.textContent = item.fact;
  head.className = "mono";
  made.append(head);
  const fill = () => {
    if (made.children.length > 1) return;
    const rule = document.createElement("p"), drawing = document.createElement("div");
    rule.className = "mono"; rule.textContent = item.rule;
    drawing.className = "proof"; drawing.append(picture(item));
    made.append(rule, drawing);
    if (!item.general) {
      const note = document.createElement("p");
      note.className = "note";
      note.textContent = "The rule may hold without some of its conditions; the time for finding out was over.";
      rule.after(note);
    }
  };
  made.addEventListener("toggle", () => { if (made.open) fill(); });
  made.fill = fill;
  const place = document.createElement("td");
  place.append(made);
  return place;
}

const allRules = table("rules", rule => rule.text, found.rules, rule => row(
  cell(rule.text, "mono"), cell(rule.atoms, "number"), cell(rule.support, "number"), cell(percent(rule.precision), "number")));
table("facts", item => item.fact + " " + item.rule, found.facts, item => row(
  proof(item), cell(item.facts.length, "number"), cell(item.minimal ? "yes" : "open", "number"), cell(item.known, "number")));

// On paper there are all rules, and of the facts those in view, with their proofs.
let opened = [];
addEventListener("beforeprint", () => {
  allRules(true);
  opened = [...document.querySelectorAll("#facts details:not([open])")];
  opened.forEach(each => { each.fill(); each.open = true; });
});
addEventListener("afterprint", () => {
  allRules(false);
  opened.forEach(each => { each.open = false; });
});
