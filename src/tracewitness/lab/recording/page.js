// How a page is read: what an element is called, as a screen reader would tell it, and what the page shows.
({
  roles: { A: "link", BUTTON: "button", SELECT: "combobox", TEXTAREA: "textbox", TR: "row", LI: "listitem" },
  inputs: { checkbox: "checkbox", radio: "radio", range: "slider", submit: "button", number: "spinbutton" },

  role(element) {
    const own = element.tagName === "INPUT" ? this.inputs[element.type] || "textbox" : this.roles[element.tagName];
    return element.getAttribute("role") || own || "generic";
  },

  name(element) {
    const labels = element.labels ? Array.from(element.labels, (label) => label.innerText).join(" ") : "";
    const own = element.tagName === "SELECT" || element.tagName === "INPUT" ? "" : element.innerText;
    const name = element.getAttribute("aria-label") || labels || own || element.placeholder || element.title || "";
    return name.trim().replace(/\s+/g, " ").slice(0, 120);
  },

  state(element) {
    const told = [];
    const pressed = element.getAttribute("aria-checked");
    const boxed = element.type === "checkbox" || element.type === "radio";
    if (pressed !== null) told.push(pressed === "true" ? "checked" : "unchecked");
    else if (boxed) told.push(element.checked ? "checked" : "unchecked");
    if (element.disabled || element.getAttribute("aria-disabled") === "true") told.push("disabled");
    return told.join(" ");
  },

  value(element) {
    if (element.tagName === "SELECT") return element.selectedOptions.length ? element.selectedOptions[0].text : "";
    if (element.type === "checkbox" || element.type === "radio" || !("value" in element)) return null;
    return element.tagName === "BUTTON" || element.type === "password" ? null : String(element.value);
  },

  // The name, role and place of one element.
  named(element) {
    const box = element.getBoundingClientRect();
    return {
      name: this.name(element),
      role: this.role(element),
      box: {
        left: Math.round(box.left),
        top: Math.round(box.top),
        width: Math.round(box.width),
        height: Math.round(box.height),
      },
    };
  },

  shown(element) {
    const box = element.getBoundingClientRect();
    return box.width >= 1 && box.height >= 1 && getComputedStyle(element).visibility !== "hidden";
  },

  // The title of the page, its visible text, and the elements that can be operated, with their places.
  survey() {
    const operated = document.querySelectorAll("a[href], button, input, select, textarea, [role=switch]");
    const controls = Array.from(operated)
      .filter((element) => element.type !== "hidden" && this.shown(element))
      .map((element) => ({
        ...this.named(element),
        tag: element.tagName.toLowerCase(),
        value: this.value(element),
        state: this.state(element),
      }));
    return {
      title: document.title,
      text: document.body.innerText,
      controls,
      width: window.innerWidth,
      height: window.innerHeight,
    };
  },
})
