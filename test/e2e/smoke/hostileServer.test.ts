// A hostile server, in a real window with its real policies: it runs nothing, loads nothing and violates no policy.
import assert from "node:assert/strict";
import { commonMarkTexts, hostileTexts } from "../../page/hostile.ts";
import { plainLabel } from "../../../src/shared/oneLine.ts";
import type { Chat } from "../lib/chat.ts";
import { eventually } from "../lib/eventually.ts";
import { expectCount, expectText } from "../lib/expect.ts";
import { connectedTo, useServer, useSharedWorkbench } from "../lib/journey.ts";
import { patiently } from "../lib/once.ts";

const names = hostileTexts.filter((text) => text.length < 300);
/** Markdown, because hovers are Markdown too. */
const [agent = ""] = names.filter((name) => name.startsWith("![alt](https"));
/** Find lists things in the order in which they arrive, so only one has the agent's name. */
const others = names.filter((name) => name !== agent);
/** VS Code draws an icon in its lists. The other characters pretend that the agent is in another place. */
const iconName = "$(trash) can\u202E\n\nConnection: none";
const shownName = String.raw`$(trash) can\u{202E} Connection: none`;
const context = (content: string) => ({ type: "context", content });

describe("A hostile server", () => {
  const server = useServer();
  const journey = useSharedWorkbench(() => connectedTo({ Hostile: server }));
  let scripts = 0;

  before("count what it does", async () => {
    await journey.workbench.page.exposeFunction("pwned", () => scripts++);
    const json = (on: RegExp, rows: unknown) => ({
      on,
      answer: { status: 200, body: JSON.stringify(rows) },
    });
    const [project = ""] = names.filter((name) => name.startsWith("<svg onload"));
    const stamps = { project_id: 1, created_at: "<b>now</b>" };
    server.proxy.set(
      json(/\/api\/databases\/$/, [
        { name: project, type: "project", deletable: false },
        { name: "mindsdb", type: "project", deletable: true },
      ]),
      json(
        /mindsdb\/agents$/,
        [...names, iconName].map((name, id) => ({
          ...stamps,
          id,
          name,
          model: { provider: name, model_name: name },
          data: { tables: [name], knowledge_bases: [name] },
          prompt_template: name,
        })),
      ),
      json(
        /mindsdb\/models$/,
        others.map((name, id) => ({ ...stamps, id, name, version: 1, status: name, error: name })),
      ),
      json(
        /mindsdb\/knowledge_bases$/,
        others.map((name, id) => ({ ...stamps, id, name, embedding_model: { provider: name } })),
      ),
    );
    journey.workbench.watch.clear();
  });

  function assertHarmless(): void {
    const { watch } = journey.workbench;
    assert.deepEqual(watch.foreignRequests(), []);
    assert.deepEqual(watch.violations, []);
    assert.equal(scripts, 0);
  }

  it("does no harm by names in the tree", async () => {
    const { tree, workbench } = journey;
    for (const group of ["Models", "Knowledge Bases", "Agents"]) {
      const path = ["Hostile", "mindsdb", group];
      await tree.expand(path);
      await eventually(async () => {
        assert.ok((await tree.children(path)).length > 10);
      });
      // The list draws only visible rows, so scroll through all of it.
      await tree.sideBar.hover();
      // eslint-disable-next-line no-restricted-syntax -- Nothing is waited for: whatever is drawn must do no harm.
      for (let page = 0; page < 6; page++) await workbench.page.mouse.wheel(0, 600);
      await eventually(async () => {
        await workbench.page.mouse.wheel(0, -5000);
        await tree.find(path, 200);
      });
      await tree.collapse(path);
    }
    assertHarmless();
  });

  it("does no harm by names in hovers", async () => {
    const { workbench } = journey;
    await workbench.command("MindsDB: Find…");
    await workbench.quickInput.take("Find in MindsDB", "2.png", plainLabel(agent));
    const row = journey.tree.sideBar.locator(".monaco-list-row.selected .label-name");
    await eventually(async () => {
      assert.equal(await row.innerText(), plainLabel(agent));
    });
    // What is found also opens, and takes the focus when its page arrives.
    await journey.chat(agent);
    const hover = workbench.page.locator(".workbench-hover", { hasText: "Created" });
    await eventually(async () => {
      // A row that is redrawn under the pointer shows no hover until the pointer moves over it again.
      await workbench.page.mouse.move(640, 700);
      await row.hover({ position: { x: 4, y: 8 }, ...patiently });
      await hover.waitFor({ timeout: 3000 });
    }, 30_000);
    await expectCount(hover.locator("img, a[href]:not([href^=http])"), 0);
    await workbench.page.mouse.move(640, 700);
    assertHarmless();
  });

  it("shows the name of no icon as an icon in a list", async () => {
    const { page, quickInput } = journey.workbench;
    await journey.workbench.command("MindsDB: Find…");
    await quickInput.expect("Find in MindsDB");
    await quickInput.box.fill("trash");
    const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "can" }).first();
    await eventually(async () => {
      const text = await row.innerText({ timeout: 5_000 });
      assert.ok(text.includes(plainLabel(shownName)), text);
    });
    await expectCount(row.locator(".codicon-trash"), 0);
    await quickInput.cancel();
  });

  it("shows its whole name, and no more lines of it, before an agent is deleted", async () => {
    const { dialogs, quickInput } = journey.workbench;
    await journey.workbench.command("MindsDB: Delete Agent…");
    await quickInput.expect("Delete an Agent");
    await quickInput.box.fill("trash");
    await quickInput.choose(plainLabel(shownName));
    const text = await dialogs.modal("Delete the agent", "Cancel");
    assert.ok(text.includes(`${plainLabel(shownName)} in mindsdb?`), text);
    assert.doesNotMatch(text, /^Connection: none/m);
  });

  it("does no harm by names in a chat", async () => {
    const { quickInput } = journey.workbench;
    await journey.workbench.command("MindsDB: Ask Agent…");
    await quickInput.take("Which agent?", "2.png", plainLabel(agent));
    const chat = await journey.chat(agent);
    await expectText(chat.frame.locator("h1"), agent);
    assertHarmless();
  });

  it("does no harm by its agents' steps, answers and errors", async () => {
    const chat = await journey.chat(agent);
    const groups = inGroups(hostileTexts, 10);
    for (const [index, texts] of groups.entries()) {
      const asked = server.hold();
      await chat.ask(texts.join("\n").slice(0, 5000));
      const held = await asked;
      for (const text of texts) {
        held.send(context(text), { type: text, content: text });
        held.send(context("Generating agent response..."), context(text));
        held.send(context(`Executing exploratory SQL query: ${text}`));
        held.send(context(`Query result: | ${text} |\n| --- |\n| ${text} |`));
        held.send(context(`Executing final SQL query: ${text}`));
        held.send(context(`Error executing SQL query: ${text}`));
        // Each answer replaces the previous one.
        held.send({ type: "data", content: `| ${text} |\n| --- |` }, { type: "data", text });
      }
      held.send({ type: "error", content: texts[0] }, { type: "end" });
      held.end();
      assert.equal((await chat.ended(index + 1)).state, "failed");
    }
    await openEverything(chat);
    await assertPlain(chat);
    assertHarmless();
  });

  it("does no harm by any Markdown syntax", async () => {
    const chat = await journey.chat(agent);
    const asked = server.hold();
    await chat.ask("All of CommonMark");
    const held = await asked;
    held.send(...commonMarkTexts.map((text) => context(`Query result: ${text}`)));
    held.send({ type: "data", text: commonMarkTexts.join("\n\n***\n\n") }, { type: "end" });
    held.end();
    assert.equal((await chat.ended(inGroups(hostileTexts, 10).length + 1)).state, "answered");
    await assertPlain(chat);
    assertHarmless();
  });

  it("would be detected", async () => {
    const { page, watch } = journey.workbench;
    const { frame } = await journey.chat(agent);
    const remote = "https://hostile.invalid/control.png";
    await frame.evaluate((address) => {
      const image = document.createElement("img");
      image.setAttribute("onerror", "pwned()");
      image.src = address;
      document.body.append(image);
    }, remote);
    await eventually(() => {
      assert.ok(watch.violations.length >= 2, "an image and its handler are two violations");
    });
    await frame.evaluate("pwned()");
    assert.equal(scripts, 1);
    await page.evaluate((address) => void fetch(address).catch(() => undefined), remote);
    await eventually(() => {
      assert.ok(watch.requests.some(({ url }) => url === remote));
    });
  });
});

function inGroups<T>(items: T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Opens every step and dispatches pointer events on every element. */
async function openEverything({ frame }: Chat): Promise<void> {
  await frame.evaluate(() => {
    for (const line of document.querySelectorAll<HTMLElement>("button.line[aria-expanded=false]")) {
      line.click();
    }
    for (const element of document.querySelectorAll(".log *")) {
      for (const type of ["mouseover", "mouseenter", "focus"]) {
        element.dispatchEvent(new MouseEvent(type, { bubbles: true }));
      }
    }
  });
}

/** Checks that the page has no dangerous elements, and that every link has an allowed target. */
async function assertPlain({ frame }: Chat): Promise<void> {
  const foreign =
    ".log :is(script, style, iframe, img, svg, math, object, embed, form, link, meta)";
  await expectCount(frame.locator(foreign), 0);
  const links = await frame
    .locator("a[href]")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  for (const href of links) assert.match(href, /^($|https?:\/\/|mailto:)/i);
}
