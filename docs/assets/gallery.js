// Filters the cards of the gallery by the words that are typed; headings without cards disappear with them.
document.addEventListener("DOMContentLoaded", () => {
  const groups = [...document.querySelectorAll("div.cards:not(.doors)")];
  if (!groups.length) return;
  const field = document.createElement("input");
  field.type = "search";
  field.className = "filter";
  field.placeholder = "Search the gallery, for example: straight line, gear, walking";
  field.setAttribute("aria-label", "Search the gallery");
  const none = document.createElement("p");
  none.textContent = "No mechanism of the gallery matches.";
  none.hidden = true;
  document.querySelector("h1").nextElementSibling.after(field, none);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const group of groups) {
      const heading = group.previousElementSibling;
      let left = 0;
      for (const card of group.querySelectorAll("li")) {
        const text = `${heading.textContent} ${card.textContent} ${card.innerHTML}`.toLowerCase();
        card.hidden = !words.every((word) => text.includes(word));
        left += card.hidden ? 0 : 1;
      }
      group.hidden = heading.hidden = left === 0;
      shown += left;
    }
    none.hidden = shown > 0;
  });
});
