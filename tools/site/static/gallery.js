// A scene of the gallery starts when somebody asks for it: its own page takes the picture's place.

for (const stage of document.querySelectorAll(".stage[data-page]")) {
  stage.querySelector("button").addEventListener("click", () => {
    const frame = document.createElement("iframe");
    frame.src = stage.dataset.page;
    frame.title = document.title;
    stage.replaceChildren(frame);
    frame.focus();
  });
}
