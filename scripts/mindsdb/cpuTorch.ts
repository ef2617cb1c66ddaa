// Lets PyTorch's CUDA build (the one that package indexes serve for Linux) run on a machine without CUDA: its CUDA
// libraries, over 1 GB, make room for small ones that only define the names which the remaining libraries ask for.
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** PyTorch's own CUDA code, removed. The first is linked to and gets a stand-in; the others load on demand. */
const CUDA_CODE = ["libtorch_cuda.so", "libtorch_cuda_linalg.so", "libcaffe2_nvrtc.so"] as const;
/** Libraries from NVIDIA's packages (not installed) that torch 2.8.0 links to; each versions its names by its own. */
const NVIDIA_LIBRARIES = [
  "libcudart.so.12",
  "libcudnn.so.9",
  "libcufile.so.0",
  "libcupti.so.12",
  "libcusparseLt.so.0",
] as const;
const NVIDIA_NAME = /^cu(da|dnn|File|pti|sparseLt)/;

/**
 * Makes the torch under `sitePackages` (as unpacked from its wheel) independent of CUDA. CPU code stays as it is;
 * whatever asks for a CUDA device is told that there is none. Needs `cc` and `nm`.
 */
export async function makeTorchCpuOnly(sitePackages: string): Promise<void> {
  const torch = path.join(sitePackages, "torch");
  const lib = path.join(torch, "lib");
  const removed = CUDA_CODE.map((name) => path.join(lib, name));
  const kept = [
    ...fs.globSync(path.join(lib, "*.so*")).filter((file) => !removed.includes(file)),
    ...fs.globSync(path.join(torch, "_C*.so")),
  ];
  const defined = await names(kept, "--defined-only");
  const cudaCode = await names(removed, "--defined-only");
  const missing = [...(await names(kept, "--undefined-only"))].filter(
    (name) => !defined.has(name) && (cudaCode.has(name) || NVIDIA_NAME.test(name)),
  );

  for (const file of removed) fs.rmSync(file);
  const source = path.join(lib, "stand-in.c");
  const versions = path.join(lib, "stand-in.map");
  fs.writeFileSync(source, missing.sort().map(standIn).join("\n") + "\n");
  // One library holds every name: which one a name is found in does not matter to the loader.
  await link(lib, CUDA_CODE[0], [source, "-lstdc++"]);
  for (const name of NVIDIA_LIBRARIES) {
    fs.writeFileSync(versions, `${name} { global: *; };\n`);
    await link(lib, name, [`-Wl,--version-script=${versions}`]);
  }
  fs.rmSync(source);
  fs.rmSync(versions);
}

/** The dynamic symbols of some libraries, without their versions. */
async function names(files: string[], which: "--defined-only" | "--undefined-only") {
  const { stdout } = await run("nm", ["-D", which, ...files], { maxBuffer: 1 << 30 });
  return new Set(
    stdout.split("\n").flatMap((line) => / \w (\S+)$/.exec(line)?.[1]?.split("@")[0] ?? []),
  );
}

async function link(folder: string, name: string, inputs: string[]): Promise<void> {
  const target = path.join(folder, name);
  const flags = ["-shared", "-fPIC", "-w", "-fno-builtin", `-Wl,-soname,${name}`];
  await run("cc", [...flags, "-o", target, ...inputs]);
}

/** A C definition for one name, told apart by how C++ mangles names and by what CUDA's callers expect. */
function standIn(name: string): string {
  // A type: pybind11 reads its name.
  if (name.startsWith("_ZTI")) {
    return (
      `extern void *_ZTVN10__cxxabiv117__class_type_infoE[];\n` +
      `void *${name}[] = {&_ZTVN10__cxxabiv117__class_type_infoE[2], "${name.slice(4)}"};`
    );
  }
  // A table of virtual functions.
  if (name.startsWith("_ZT")) return `void *${name}[64];`;
  // A C++ function, which may return a reference.
  if (name.startsWith("_Z")) return `void *${name}(void) { static void *none[512]; return none; }`;
  if (name === "cudaGetDeviceCount") return `int ${name}(int *n) { *n = 0; return 100; }`;
  if (name === "cudaGetErrorString") return `char *${name}(int e) { return "no CUDA device"; }`;
  // "The last error" is none: that nothing works has already been said.
  if (name === "cudaGetLastError") return `int ${name}(void) { return 0; }`;
  // cudaErrorNoDevice
  return `int ${name}(void) { return 100; }`;
}
