// DOM helpers. Text is always set with textContent, never as HTML.

interface Attributes {
  class?: string;
  text?: string;
  title?: string;
  label?: string;
  role?: string;
}

/** Content of an element; undefined and false add nothing. */
export type Child = Node | string | undefined | false;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { class: className, text, title, label, role }: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  if (className !== undefined) node.className = className;
  if (text !== undefined) node.textContent = text;
  if (title !== undefined) node.title = title;
  if (label !== undefined) node.setAttribute("aria-label", label);
  if (role !== undefined) node.setAttribute("role", role);
  node.append(...children.filter(isPresent));
  return node;
}

function isPresent(child: Child): child is Node | string {
  return child !== undefined && child !== false;
}

/** Creates a codicon, hidden from screen readers. */
export function icon(name: string): HTMLElement {
  const made = element("i", { class: `codicon codicon-${name}` });
  made.setAttribute("aria-hidden", "true");
  return made;
}
