// the verdicts of the summary are buttons: a click shows their panels only, a second one all panels again
(() => {
  const buttons = [...document.querySelectorAll(".cards button")];
  const articles = [...document.querySelectorAll("article")];
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const chosen = button.getAttribute("aria-pressed") !== "true";
      for (const other of buttons) other.setAttribute("aria-pressed", String(chosen && other === button));
      for (const article of articles) article.hidden = chosen && article.dataset.verdict !== button.value;
    });
  }
})();
