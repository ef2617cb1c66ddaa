// Free ports of this machine's loopback.
import net from "node:net";

export async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once("error", () => {
      resolve(false);
    });
    probe.listen(port, "127.0.0.1", () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}

/** The first free port from this one on. */
export async function firstFree(from: number): Promise<number> {
  let port = from;
  while (!(await isFree(port))) port++;
  return port;
}
