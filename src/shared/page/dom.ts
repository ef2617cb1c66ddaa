// Making elements: text always goes in as text.

interface Attributes {
  class?: string;
  text?: string;
  title?: string;
  label?: string;
  role?: string;
}

/** An element with its class, its text (as text, never as markup) and its children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { class: className, text, title, label, role }: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== undefined) made.className = className;
  if (text !== undefined) made.textContent = text;
  if (title !== undefined) made.title = title;
  if (label !== undefined) made.setAttribute("aria-label", label);
  if (role !== undefined) made.setAttribute("role", role);
  made.append(...children);
  return made;
}

/** A codicon; it says nothing to a screen reader. */
export function icon(name: string): HTMLElement {
  const made = element("i", { class: `codicon codicon-${name}` });
  made.setAttribute("aria-hidden", "true");
  return made;
}

/** A button that is an icon, named for screen readers and by its tooltip. */
export function iconButton(name: string, label: string, press: () => void): HTMLButtonElement {
  const made = element("button", { class: "icon-button", title: label, label }, icon(name));
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

/** A button with words. */
export function textButton(label: string, className: string, press: () => void): HTMLButtonElement {
  const made = element("button", { class: className, text: label });
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}
