// Makes the pictures of README and docs in media/screenshots, still and moving ones, from the real product.
// Usage: node test/e2e/pictures.ts [NAME...]   only the moving pictures with these names
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { allJourneys, packIfStale } from "../../scripts/journeys.ts";
import { filmScenes } from "./films.ts";
import { loadSharp } from "./lib/sharp.ts";

const folder = path.resolve("media", "screenshots");
const names = process.argv.slice(2);

if (!process.env["VSIX"]) await packIfStale();
if (names.length > 0) {
  await filmScenes(folder, names);
} else {
  takePictures();
  await compressPictures();
  await filmScenes(folder);
}

/** Runs the journeys that take pictures for README and docs. */
function takePictures(): void {
  const journeys = allJourneys().filter((file) =>
    fs.readFileSync(file, "utf8").includes("readme: "),
  );
  const { status } = spawnSync(process.execPath, ["test/e2e/run.ts", ...journeys], {
    stdio: "inherit",
    env: { ...process.env, UPDATE_PICTURES: "1" },
  });
  if (status !== 0) throw new Error("A journey failed");
}

/** With at most 256 colors they have a third of the bytes, and look the same. */
async function compressPictures(): Promise<void> {
  const sharp = await loadSharp();
  for (const name of fs.readdirSync(folder).filter((file) => file.endsWith(".png"))) {
    const file = path.join(folder, name);
    const smaller = await sharp(file).png({ palette: true, effort: 10 }).toBuffer();
    if (smaller.length < fs.statSync(file).size) fs.writeFileSync(file, smaller);
  }
}
