// Fills each field of a page: it classifies what is typed, and colours words by their evidence.
const model = Model.read(Uint8Array.from(atob(frozen), (c) => c.charCodeAt(0)));
const element = (name, text, className = "") => Object.assign(document.createElement(name), { textContent: text, className });

for (const field of document.querySelectorAll(".try")) {
  const input = field.querySelector("textarea");
  const show = () => {
    const answer = model.explain(input.value);
    const most = Math.max(...answer.terms.map((t) => Math.abs(t.log_odds)), 1);
    field.querySelector(".marked").replaceChildren(...answer.highlights.map(({ text, log_odds }) => {
      if (log_odds === 0) return text;
      const mark = element("mark", text, log_odds > 0 ? "for" : "against");
      mark.style.setProperty("--share", `${Math.round((100 * Math.abs(log_odds)) / most)}%`);
      mark.title = `${log_odds > 0 ? "for " + answer.class : "for " + answer.against}: ${Math.abs(log_odds).toFixed(2)}`;
      return mark;
    }));
    const key = ([label, className]) => element("mark", label, className);
    field.querySelector(".key").replaceChildren("Words that speak for ", key([answer.class, "for"]), " and for ", key([answer.against, "against"]));
    const classes = Object.entries(answer.probabilities).sort((a, b) => b[1] - a[1]);
    field.querySelector(".answer").replaceChildren(...classes.map(([label, p]) => {
      const row = element("div", "", "class");
      const bar = element("span", "", "bar");
      bar.style.setProperty("--share", `${100 * p}%`);
      row.append(element("span", label, "label"), bar, element("span", p.toFixed(4), "share"));
      return row;
    }));
  };
  input.addEventListener("input", show);
  show();
}
