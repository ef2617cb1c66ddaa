// DOM helpers. Text is always set with textContent, never as HTML.

interface Attributes {
  class?: string;
  text?: string;
  title?: string;
  label?: string;
  role?: string;
}

/** Creates an element. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { class: className, text, title, label, role }: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  if (className !== undefined) node.className = className;
  if (text !== undefined) node.textContent = text;
  if (title !== undefined) node.title = title;
  if (label !== undefined) node.setAttribute("aria-label", label);
  if (role !== undefined) node.setAttribute("role", role);
  node.append(...children);
  return node;
}

/** Creates a codicon, hidden from screen readers. */
export function icon(name: string): HTMLElement {
  const made = element("i", { class: `codicon codicon-${name}` });
  made.setAttribute("aria-hidden", "true");
  return made;
}

/** Creates an icon button with a label and a tooltip. */
export function iconButton(name: string, label: string, press: () => void): HTMLButtonElement {
  const made = element("button", { class: "icon-button", title: label, label }, icon(name));
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

/** Creates a button with text. */
export function textButton(label: string, className: string, press: () => void): HTMLButtonElement {
  const made = element("button", { class: className, text: label });
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}
