// What a page shows: its title, its visible text, and the elements that can be operated, with their places.
() => {
  const roles = { A: "link", BUTTON: "button", SELECT: "combobox", TEXTAREA: "textbox" };
  const inputs = { checkbox: "checkbox", radio: "radio", range: "slider", submit: "button", number: "spinbutton" };
  const said = (element) => {
    const labels = element.labels ? Array.from(element.labels, (label) => label.innerText).join(" ") : "";
    const own = element.tagName === "SELECT" || element.tagName === "INPUT" ? "" : element.innerText;
    const name = element.getAttribute("aria-label") || labels || own || element.placeholder || element.title || "";
    return name.trim().replace(/\s+/g, " ").slice(0, 120);
  };
  const state = (element) => {
    const told = [];
    const pressed = element.getAttribute("aria-checked");
    const boxed = element.type === "checkbox" || element.type === "radio";
    if (pressed !== null) told.push(pressed === "true" ? "checked" : "unchecked");
    else if (boxed) told.push(element.checked ? "checked" : "unchecked");
    if (element.disabled || element.getAttribute("aria-disabled") === "true") told.push("disabled");
    return told.join(" ");
  };
  const value = (element) => {
    if (element.tagName === "SELECT") return element.selectedOptions.length ? element.selectedOptions[0].text : "";
    if (element.type === "checkbox" || element.type === "radio" || !("value" in element)) return null;
    return element.tagName === "BUTTON" || element.type === "password" ? null : String(element.value);
  };
  const parts = [];
  for (const element of document.querySelectorAll("a[href], button, input, select, textarea, [role=switch]")) {
    const box = element.getBoundingClientRect();
    if (box.width < 1 || box.height < 1 || getComputedStyle(element).visibility === "hidden") continue;
    if (element.type === "hidden") continue;
    parts.push({
      role:
        element.getAttribute("role") ||
        (element.tagName === "INPUT" ? inputs[element.type] || "textbox" : roles[element.tagName]),
      tag: element.tagName.toLowerCase(),
      name: said(element),
      value: value(element),
      state: state(element),
      box: {
        left: Math.round(box.left),
        top: Math.round(box.top),
        width: Math.round(box.width),
        height: Math.round(box.height),
      },
    });
  }
  return {
    title: document.title,
    text: document.body.innerText,
    parts,
    width: window.innerWidth,
    height: window.innerHeight,
  };
}
