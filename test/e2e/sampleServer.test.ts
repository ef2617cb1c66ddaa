// A user without a server tries the one that comes along: it answers, comes back after a reload, and stops when told to.
import assert from "node:assert/strict";
import { eventually } from "./lib/eventually.ts";
import { useWorkbench } from "./lib/journey.ts";

describe("Trying the sample server", () => {
  const journey = useWorkbench();
  const connection = "Sample Server";
  const agents = [connection, "mindsdb", "Agents"];
  let description = "";

  it("starts with one click and shows what it holds", async () => {
    const welcome = journey.tree.sideBar.locator(".welcome-view-content");
    await welcome.getByRole("button", { name: "Try the Sample Server" }).click();
    await journey.tree.find([connection, "mindsdb"]);
    await eventually(async () => {
      ({ description } = await journey.tree.find([connection]));
      assert.match(description, /^26\.1\.0 · 127\.0\.0\.1:\d+$/);
    });
    for (const group of ["Knowledge Bases", "Agents", "Models"]) {
      const path = [connection, "mindsdb", group];
      await journey.tree.expand(path);
      await eventually(async () => {
        assert.notDeepEqual(await journey.tree.children(path), []);
      });
    }
  });

  it("has agents that look things up", async () => {
    const chat = await journey.chatWith(connection, "mindsdb", "rental_agent");
    await chat.ask("What is the average rental price per location?");
    const table = await chat.ended(1);
    assert.equal(table.state, "answered");
    assert.match(table.answer, /great\s+2602\.7/);
    await chat.ask("May I keep a dog?");
    const text = await chat.ended(2);
    assert.equal(text.state, "answered");
    assert.match(text.answer, /Sources/);
    assert.ok(text.steps.length > 3);
  });

  it("is started again by the first request after a reload, at the same address", async () => {
    await journey.reload();
    await journey.tree.find([...agents, "rental_agent"]);
    await eventually(async () => {
      assert.equal((await journey.tree.find([connection])).description, description);
    });
    const chat = await journey.chat("rental_agent");
    await chat.ask("Is there a gym?");
    assert.equal((await chat.ended(3)).state, "answered");
  });

  it("stops when it is told to, and starts again", async () => {
    const { tree, workbench } = journey;
    await workbench.command("MindsDB: Stop Sample Server");
    const stopped = [connection, "Stopped"];
    assert.equal((await tree.find(stopped)).description, "Start Sample Server");
    // To ask again does not bring it back.
    await workbench.command("MindsDB: Refresh");
    await tree.find(stopped);
    await tree.click(stopped);
    await tree.find([connection, "mindsdb"]);
    await eventually(async () => {
      assert.equal((await tree.find([connection])).description, description);
    });
  });
});
