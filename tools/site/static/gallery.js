// A scene of the gallery starts when somebody asks for it: its own page takes the picture's place, in the site's
// theme where one was chosen.

for (const stage of document.querySelectorAll(".stage[data-page]")) {
  stage.querySelector("button").addEventListener("click", () => {
    const { theme } = document.body.dataset;
    const frame = document.createElement("iframe");
    frame.src = stage.dataset.page + (theme === "light" || theme === "dark" ? `?theme=${theme}` : "");
    frame.title = document.title;
    stage.replaceChildren(frame);
    frame.focus();
  });
}
