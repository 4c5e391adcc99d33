// SPDX-License-Identifier: GPL-2.0-only
// Filters of the verdict table; claims.html?words=... begins with these words. Without scripts the page shows all rows and no filters.
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
  // What a link of another page has chosen, until everything is shown again.
  let chosen = ["figure", "paper", "statement"].filter((key) => asked.has(key));

  function show() {
    const on = new Set(buttons.filter((b) => b.ariaPressed === "true").map((b) => b.value));
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const text = `${row.textContent.toLowerCase()} ${about[row.dataset.figure] ?? ""}`;
      const fits =
        on.has(row.dataset.verdict) &&
        (apart.checked || !("apart" in row.dataset)) &&
        chosen.every((key) => row.dataset[key] === asked.get(key)) &&
        (!system.value || row.dataset.system === system.value) &&
        (!kind.value || row.dataset.kind === kind.value) &&
        (!origin.value || row.dataset.origin === origin.value) &&
        wanted.every((word) => text.includes(word));
      row.hidden = !fits;
      count += fits;
    }
    const limits = chosen.map((key) => `${key} ${asked.get(key)}`).join(", ");
    shown.textContent = `${count} of ${rows.length} claims${limits && `: ${limits}`}`;
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
  apart.checked = asked.has("figure"); // whose page counts all its claims
  if (asked.has("verdict")) {
    buttons.forEach((button) => (button.ariaPressed = `${button.value === asked.get("verdict")}`));
  }
  document.querySelector(".filters").hidden = false;
  show();
})();
