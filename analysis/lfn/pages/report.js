// SPDX-License-Identifier: GPL-2.0-only
// Filters of the verdict table; claims.html?words=... begins with these words, and the claims that have them come first. Without scripts the page shows all rows and no filters.
"use strict";
(() => {
  const rows = [...document.querySelectorAll("#verdicts tbody tr")];
  const buttons = [...document.querySelectorAll("button.verdict")];
  const system = document.getElementById("system");
  const kind = document.getElementById("kind");
  const origin = document.getElementById("origin");
  const words = document.getElementById("words");
  const shown = document.getElementById("shown");
  const apart = document.getElementById("apart");
  const about = JSON.parse(document.getElementById("about").textContent);
  const asked = new URLSearchParams(location.search);
  const counting = rows.filter((row) => !("apart" in row.dataset)).length;
  // Words that say nothing about a claim, and how readers call verdicts.
  const SKIPPED = new Set(("a an and are at by does do for from get give gives given has have hold holds how in is it its of on or " +
    "that the to was what when where which who why with claim claims statement statements ms").split(" "));
  const NUMBER = /^\d+$/;
  const FAILED = new Set(["fail", "fails", "failed", "false", "wrong"]);
  const failing = new Set(["not reproduced", "refuted", "partly"]);
  const cells = (row) => [...row.cells].filter((cell) => !cell.classList.contains("band")).map((cell) => cell.textContent).join(" ");
  const texts = new Map(rows.map((row) => [row, {
    own: row.querySelector(".statement").textContent.toLowerCase() + " " +
      (row.querySelector(".unit")?.textContent ?? "").toLowerCase(),
    all: `${cells(row)} ${row.dataset.paper} ${row.dataset.system} ${about[row.dataset.figure] ?? ""}`.toLowerCase(),
  }]));

  function wordsOf(text) {
    const found = text.toLowerCase().replace(/'s\b/g, "").split(/[\s,;?!"]+/).filter(Boolean);
    const left = found.filter((word) => !SKIPPED.has(word));
    return left.length ? left : found;
  }

  // A number is no part of a longer one.
  function has(text, word) {
    if (!NUMBER.test(word)) return text.includes(word);
    return new RegExp(`(?<![\\d.])${word}(?![\\d]|\\.\\d)`).test(text);
  }

  // How well a row fits the words: 0 where one is nowhere, more for words of the claim itself.
  function score(row, wanted) {
    let sum = 1;
    for (const word of wanted) {
      if (FAILED.has(word) && failing.has(row.dataset.verdict)) sum += 2;
      else if (has(texts.get(row).own, word)) sum += NUMBER.test(word) ? 3 : 2;
      else if (has(texts.get(row).all, word)) sum += 1;
      else return 0;
    }
    return sum;
  }

  // What a link of another page has chosen, until everything is shown again.
  let chosen = ["figure", "paper", "statement"].filter((key) => asked.has(key));

  function show() {
    const on = new Set(buttons.filter((b) => b.ariaPressed === "true").map((b) => b.value));
    const wanted = wordsOf(words.value);
    const scores = new Map(rows.map((row) => [row, score(row, wanted)]));
    const best = wanted.length ? [...rows].sort((a, b) => scores.get(b) - scores.get(a)) : rows;
    rows[0]?.parentNode.append(...best);
    let count = 0;
    for (const row of rows) {
      const fits =
        on.has(row.dataset.verdict) &&
        (apart.checked || !("apart" in row.dataset)) &&
        chosen.every((key) => row.dataset[key] === asked.get(key)) &&
        (!system.value || row.dataset.system === system.value) &&
        (!kind.value || row.dataset.kind === kind.value) &&
        (!origin.value || row.dataset.origin === origin.value) &&
        scores.get(row) > 0;
      row.hidden = !fits;
      count += fits;
    }
    const every = apart.checked ? rows.length : counting;
    const limits = chosen.map((key) => `${key} ${asked.get(key)}`).join(", ");
    shown.textContent = `${count} of ${every} claims${limits && `: ${limits}`}`;
  }

  for (const button of buttons) {
    button.disabled = false;
    button.addEventListener("click", () => {
      button.ariaPressed = button.ariaPressed === "true" ? "false" : "true";
      show();
    });
  }
  for (const control of [system, kind, origin, words, apart]) {
    control.addEventListener("input", show);
  }
  document.getElementById("reset").addEventListener("click", () => {
    buttons.forEach((button) => (button.ariaPressed = "true"));
    chosen = [];
    system.value = kind.value = origin.value = words.value = "";
    show();
  });
  words.value = asked.get("words") ?? "";
  system.value = asked.get("system") ?? "";
  apart.checked = asked.has("figure"); // whose page counts all its claims
  if (asked.has("verdict")) {
    buttons.forEach((button) => (button.ariaPressed = `${button.value === asked.get("verdict")}`));
  }
  document.querySelector(".filters").hidden = false;
  show();
})();
