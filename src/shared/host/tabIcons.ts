import * as vscode from "vscode";

/** The shapes, drawn on 16 by 16 pixels. */
const shapes = {
  agent:
    '<path d="M3.5 5.5h9a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1z"/><path d="M8 5.5v-3M6 8.25v1.5M10 8.25v1.5M1 8.5v1.5M15 8.5v1.5"/>',
  chat: '<path d="M2.5 3.5h11v7h-6l-3 3v-3h-2z"/><path d="M5 6h6M5 8h4"/>',
  dataSource:
    '<ellipse cx="8" cy="3.5" rx="5.5" ry="2"/><path d="M2.5 3.5v9c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2v-9M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2"/>',
  job: '<circle cx="8" cy="8" r="6.5"/><path d="M8 4.5V8l2.5 2"/>',
  knowledgeBase:
    '<path d="M2.5 2.5h3v11h-3zM5.5 2.5h3v11h-3z"/><path d="M9.6 3.4l2.9-.8 2.3 10.3-2.9.8z"/>',
  mlEngine:
    '<rect x="3.5" y="3.5" width="9" height="9" rx="1"/><path d="M6.5 6.5h3v3h-3zM6 3.5v-2M10 3.5v-2M6 14.5v-2M10 14.5v-2M3.5 6h-2M3.5 10h-2M14.5 6h-2M14.5 10h-2"/>',
  model: '<path d="M2.5 2.5v11h11"/><path d="M4.5 10.5l3-4 2.5 2 3.5-5"/>',
  table:
    '<rect x="1.5" y="1.5" width="13" height="13" rx="2"/><path d="M1.5 5.5h13M1.5 10.5h13M5.5 1.5v13M10.5 1.5v13"/>',
  trigger: '<path d="M9.5 1.5 3.5 9H7.5L6.5 14.5 12.5 7H8.5Z"/>',
} as const;

export type TabIcon = keyof typeof shapes;

/** The icon of a panel's tab. It is an address with the picture in it: a file for each theme would be 7 kB more of the VSIX. */
export function createTabIcon(name: TabIcon): { light: vscode.Uri; dark: vscode.Uri } {
  return { light: draw(name, "#424242"), dark: draw(name, "#c5c5c5") };
}

function draw(name: TabIcon, color: string): vscode.Uri {
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="none" ' +
    `stroke="${color}" stroke-linecap="round" stroke-linejoin="round">${shapes[name]}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(picture).toString("base64")}`);
}
