// A SOCKS 5 proxy that connects every host name to one port on loopback.
import net from "node:net";

export interface SocksProxy {
  port: number;
  /** The bytes of each connection's greeting, as hexadecimal digits. */
  greetings: string[];
  /** Host and port of each request. */
  targets: string[];
  stop(): Promise<void>;
}

interface SocksOptions {
  target: string;
  /** Wants this login. */
  login?: string;
  /** Answers requests with this code instead of connecting; undefined connects. */
  refuses?: number;
  /** Answers this instead of the greeting's answer. */
  greeting?: string;
}

export async function startSocksProxy(options: SocksOptions): Promise<SocksProxy> {
  const greetings: string[] = [];
  const targets: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    void serve(socket, options, { greetings, targets });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    greetings,
    targets,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function serve(
  socket: net.Socket,
  { target, login, refuses, greeting }: SocksOptions,
  { greetings, targets }: Pick<SocksProxy, "greetings" | "targets">,
): Promise<void> {
  const read = (): Promise<Buffer> => new Promise((resolve) => socket.once("data", resolve));
  greetings.push((await read()).toString("hex"));
  if (greeting !== undefined) return void socket.end(greeting);
  socket.write(Buffer.from([5, login === undefined ? 0 : 2]));
  if (login !== undefined) {
    const sent = await read();
    const length = sent[1] ?? 0;
    const given = `${sent.toString("utf8", 2, 2 + length)}:${sent.toString("utf8", 3 + length)}`;
    socket.write(Buffer.from([1, given === login ? 0 : 1]));
    if (given !== login) return;
  }
  const request = await read();
  const end = request.length - 2;
  const host =
    request[3] === 3 ? request.toString("utf8", 5, end) : request.subarray(4, end).toString("hex");
  targets.push(`${host}:${request.readUInt16BE(end)}`);
  socket.write(Buffer.from([5, refuses ?? 0, 0, 1, 0, 0, 0, 0, 0, 0]));
  if (refuses !== undefined) return;
  const upstream = net.connect(Number(new URL(target).port), "127.0.0.1");
  upstream.on("error", () => undefined);
  socket.pipe(upstream).pipe(socket);
  socket.once("close", () => upstream.destroy());
}
