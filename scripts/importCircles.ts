// Fails if files in src/ have circular imports, including type-only imports.
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";

/** Groups of files that import each other, directly or through others, as paths from the folder. */
export function findImportCircles(folder: string): string[][] {
  const imports = new Map<string, string[]>();
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(name)) continue;
    const file = path.join(folder, name);
    const { importedFiles } = ts.preProcessFile(fs.readFileSync(file, "utf8"), true, true);
    const relative = importedFiles.filter(({ fileName }) => fileName.startsWith("."));
    const resolved = relative.map(({ fileName }) => path.resolve(path.dirname(file), fileName));
    imports.set(path.resolve(file), resolved);
  }
  return findCircles(imports).map((group) =>
    group.map((file) => path.relative(folder, file).replaceAll(path.sep, "/")).sort(),
  );
}

/** The strongly connected components with more than one member, by Tarjan's algorithm. */
export function findCircles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    let low = index;
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!edges.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? 0);
    }
    lowest.set(node, low);
    if (low === index) {
      const members = stack.splice(stack.indexOf(node));
      if (members.length > 1) circles.push(members);
    }
    return low;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return circles;
}

if (process.argv[1] === import.meta.filename) {
  const circles = findImportCircles(path.resolve(import.meta.dirname, "..", "src"));
  for (const circle of circles) {
    console.error(`These files import each other: ${circle.join(", ")}`);
  }
  process.exit(circles.length > 0 ? 1 : 0);
}
