// What pages do without the server: questions, forms over the page, saving that shows its outcome first.
// `data-busy` on the body stands for "not through yet": until the next page is there, or an answer has been shown.
(() => {
  "use strict";
  const body = document.body;
  const style = body.dataset;
  let confirmed = null;

  const busy = () => {
    style.busy = "1";
    setTimeout(() => style.busy && toast(style.savingText, null, true), 400);
  };
  const idle = () => {
    delete style.busy;
    document.querySelectorAll("[data-passing]").forEach((element) => element.remove());
  };
  const go = (address) => {
    location.href = address;
  };

  function toast(text, undo, passing) {
    const place = document.querySelector("[data-toasts]");
    if (place.classList.contains("toasts-none") && !undo && !passing) return;
    const piece = document.getElementById("toast").content.cloneNode(true).firstElementChild;
    piece.querySelector("[data-text]").textContent = text;
    const form = piece.querySelector("form");
    if (undo) form.action = `/undo/${undo}`;
    else form.remove();
    if (passing) piece.dataset.passing = "";
    const main = document.querySelector("main");
    document.querySelectorAll(".toast").forEach((element) => element.remove());
    if (place.classList.contains("toasts-inline")) main.prepend(piece);
    else place.append(piece);
  }

  function ask(text, then) {
    if (style.question === "browser") {
      if (!confirm(text)) return;
      // A form that is just being submitted takes no second submission: it comes right after.
      busy();
      setTimeout(then);
      return;
    }
    const dialog = document.getElementById("question").content.cloneNode(true).firstElementChild;
    dialog.querySelector("[data-text]").textContent = text;
    dialog.addEventListener("close", () => dialog.remove());
    dialog.querySelector("[data-no]").addEventListener("click", () => dialog.close());
    dialog.querySelector("[data-yes]").addEventListener("click", () => {
      dialog.close();
      then();
    });
    body.append(dialog);
    dialog.showModal();
  }

  // An answer that is a page (or a piece of one) takes the place of what is shown.
  function show(text, form) {
    const answer = new DOMParser().parseFromString(text, "text/html");
    const main = answer.querySelector("main");
    document.querySelectorAll("dialog").forEach((dialog) => main && dialog.remove());
    if (main) document.querySelector("main").replaceWith(main);
    else if (form) form.replaceWith(...answer.body.childNodes);
  }

  async function post(address, data, kind, form, undone) {
    busy();
    try {
      const answer = await fetch(address, { method: "POST", body: data, headers: { "X-Lab": kind } });
      if ((answer.headers.get("content-type") || "").includes("json")) {
        const told = await answer.json();
        if (told.location) {
          go(told.location);
          return;
        }
        idle();
        if (told.text) toast(told.text, told.undo);
      } else {
        if (undone) undone();
        show(await answer.text(), form);
        idle();
      }
    } catch {
      idle();
    }
  }

  async function open(link) {
    busy();
    const answer = await fetch(link.href, { headers: { "X-Lab": "piece" } });
    if (answer.redirected || !answer.ok) {
      go(answer.redirected ? answer.url : link.href);
      return;
    }
    const dialog = document.createElement("dialog");
    dialog.className = "overlay";
    const heading = document.createElement("h2");
    heading.id = "overlay-heading";
    heading.textContent = link.textContent;
    dialog.setAttribute("aria-labelledby", heading.id);
    dialog.innerHTML = await answer.text();
    dialog.prepend(heading);
    dialog.addEventListener("close", () => dialog.remove());
    body.append(dialog);
    dialog.showModal();
    idle();
  }

  const marked = (form) => [...form.querySelectorAll("input[name=row]:checked")];

  function question(form, button) {
    if (button.dataset.ask) return button.dataset.ask;
    const many = button.dataset.askMany;
    return many && marked(form).length ? many.replace("#", String(marked(form).length)) : null;
  }

  function deed(event, form, button) {
    const asked = question(form, button);
    if (asked && style.question !== "page" && confirmed !== button) {
      event.preventDefault();
      ask(asked, () => {
        confirmed = button;
        form.requestSubmit(button);
      });
      return;
    }
    const sure = confirmed === button;
    confirmed = null;
    if (style.saving !== "fetch" || (asked && !sure)) {
      if (sure) hold(form, "sure", "1");
      busy();
      return;
    }
    event.preventDefault();
    const data = new FormData(form);
    if (sure) data.set("sure", "1");
    const bulk = "bulk" in button.dataset;
    const rows = bulk ? marked(form).map((mark) => mark.closest("[data-title]")) : [button.closest("[data-title]")];
    const gone = rows.filter(Boolean);
    gone.forEach((row) => (row.hidden = true));
    const kind = "rows" in form.dataset && gone.length ? "stay" : "go";
    post(button.formAction, data, kind, null, () => gone.forEach((row) => (row.hidden = false)));
    marked(form).forEach((mark) => (mark.checked = bulk ? false : mark.checked));
  }

  function hold(form, name, value) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = value;
    form.append(input);
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    if (button && ("rowDeed" in button.dataset || "bulk" in button.dataset)) {
      deed(event, form, button);
    } else if ("entries" in form.dataset && style.saving === "fetch") {
      event.preventDefault();
      post(form.action, new FormData(form, button), "piece", form);
    } else {
      busy();
    }
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
    if ("cancel" in link.dataset && link.closest("dialog")) {
      event.preventDefault();
      link.closest("dialog").close();
    } else if ("formLink" in link.dataset && style.form === "overlay") {
      event.preventDefault();
      open(link);
    } else {
      busy();
    }
  });

  document.addEventListener("change", (event) => {
    const control = event.target;
    const form = control.form;
    if ("atOnce" in control.dataset) {
      form.requestSubmit();
    } else if ("markAll" in control.dataset) {
      form.querySelectorAll("input[name=row]").forEach((mark) => (mark.checked = control.checked));
    } else if (form && "now" in form.dataset) {
      const data = new FormData(form);
      data.set("control", control.name);
      if (style.saving === "fetch") {
        post(form.action, data, "stay", null, null);
      } else {
        hold(form, "control", control.name);
        busy();
        form.submit();
      }
    }
  });

  document.addEventListener("input", (event) => {
    const told = event.target.type === "range" && event.target.parentElement.querySelector("output");
    if (!told) return;
    const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
    told.textContent = percent.format(event.target.value / 100);
  });

  window.addEventListener("pageshow", (event) => event.persisted && idle());
  style.ready = "1";
})();
