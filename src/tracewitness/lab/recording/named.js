// The name, role and place of one element, as a screen reader would tell them.
(element) => {
  const roles = { A: "link", BUTTON: "button", SELECT: "combobox", TEXTAREA: "textbox", TR: "row", LI: "listitem" };
  const inputs = { checkbox: "checkbox", radio: "radio", range: "slider", submit: "button", number: "spinbutton" };
  const labels = element.labels ? Array.from(element.labels, (label) => label.innerText).join(" ") : "";
  const own = element.tagName === "SELECT" || element.tagName === "INPUT" ? "" : element.innerText;
  const name = element.getAttribute("aria-label") || labels || own || element.placeholder || element.title || "";
  const box = element.getBoundingClientRect();
  const kind = element.tagName === "INPUT" ? inputs[element.type] || "textbox" : roles[element.tagName];
  return {
    name: name.trim().replace(/\s+/g, " ").slice(0, 120),
    role: element.getAttribute("role") || kind || "generic",
    box: {
      left: Math.round(box.left),
      top: Math.round(box.top),
      width: Math.round(box.width),
      height: Math.round(box.height),
    },
  };
}
