// The package passes on the license of everything that is bundled into it.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";
import { bundledPackages, formatNotices } from "../../scripts/thirdPartyNotices.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

describe("The third-party notices", () => {
  it("name each bundled package, with its version and its license text", async () => {
    const { metafile } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: [
        "src/extension.ts",
        "src/chat/page/chatPage.tsx",
        "src/predict/page/renderer.tsx",
      ],
      bundle: true,
      write: false,
      metafile: true,
      outdir: "out/notices",
      platform: "node",
      format: "esm",
      external: ["vscode"],
      loader: { ".css": "text" },
      logLevel: "error",
    });
    const notices = formatNotices(metafile.outputs);
    const inputs = Object.keys(metafile.inputs).filter((file) => file.includes("node_modules/"));
    const names = new Set(
      inputs.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? ""),
    );
    for (const name of ["undici", "valibot", "yaml", "markdown-it"]) {
      assert.ok(names.has(name), name);
    }
    for (const name of [...names, "@vscode/codicons"]) {
      const { version } = JSON.parse(
        fs.readFileSync(path.join(root, "node_modules", name, "package.json"), "utf8"),
      ) as { version: string };
      const notice = notices
        .split("-".repeat(80))
        .find((text) => text.includes(`${name} ${version} (`));
      assert.match(notice ?? `no notice of ${name}`, /copyright|permission|license/i);
      assert.ok((notice?.length ?? 0) > 200, name);
    }
  });

  it("name the inner one of nested packages, and none that is not in the bundle", () => {
    const of = (bytesInOutput: number) => ({ bytesInOutput });
    const inputs = {
      "node_modules/a/node_modules/@b/c/index.js": of(1),
      "node_modules/unused/index.js": of(0),
      "src/a.ts": of(1),
    };
    assert.deepEqual(bundledPackages({ "dist/a.js": { inputs } }), [
      "node_modules/@vscode/codicons",
      "node_modules/a/node_modules/@b/c",
    ]);
  });

  it("are in the package", () => {
    const shipped = fs.readFileSync(path.join(root, ".vscodeignore"), "utf8").split("\n");
    assert.ok(shipped.includes("!ThirdPartyNotices.txt"));
  });
});
